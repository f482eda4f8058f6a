/** One of a few words, all of them to be seen. @param legend what is chosen, for who does not see them side by side */
export function Segmented<W extends string>(props: {
  legend: string
  words: readonly W[]
  /** What a word is shown as, where not as itself. */
  label?: (word: W) => string
  value: W | undefined
  onChange: (word: W) => void
}) {
  const { legend, words, label = String, value, onChange } = props
  return (
    <fieldset className="segmented">
      <legend className="visually-hidden">{legend}</legend>
      {words.map(word => (
        <button key={word} type="button" aria-pressed={word === value} onClick={() => onChange(word)}>
          {label(word)}
        </button>
      ))}
    </fieldset>
  )
}
