/** Turns at something that all teams share: no team has so many that there are none left for the others. */
export class Turns {
  private readonly most: number
  private readonly mostOfTeam: number
  private readonly taken = new Map<number, number>()
  private all = 0

  /** @param most at a time, of all teams together */
  constructor(most: number, mostOfTeam: number) {
    this.most = most
    this.mostOfTeam = mostOfTeam
  }

  /** @returns gives the turn back, however often it is called; undefined where there is none left for this team */
  take(team_id: number): (() => void) | undefined {
    const taken = this.taken.get(team_id) ?? 0
    if (this.all >= this.most || taken >= this.mostOfTeam) return undefined
    this.count(team_id, 1)
    let isOver = false
    return () => {
      if (!isOver) this.count(team_id, -1)
      isOver = true
    }
  }

  private count(team_id: number, more: 1 | -1): void {
    this.all += more
    const taken = (this.taken.get(team_id) ?? 0) + more
    if (taken === 0) this.taken.delete(team_id)
    else this.taken.set(team_id, taken)
  }
}
