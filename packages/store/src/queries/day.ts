/** A day enters the text of a statement: nothing but a number of eight digits, YYYYMMDD, may. @throws {RangeError} */
export function dayText(day: number): number {
  if (!Number.isInteger(day) || day < 19_700_101 || day > 99_991_231) throw new RangeError(`${day} is no day`)
  return day
}

/** Statements of a day that has tables of its own, made once for each. */
export function ofDay<T>(make: (day: number) => T): (day: number) => T {
  const made = new Map<number, T>()
  return day => {
    let statements = made.get(day)
    if (statements === undefined) {
      statements = make(dayText(day))
      made.set(day, statements)
    }
    return statements
  }
}
