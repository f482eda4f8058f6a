import { describe, expect, it } from 'vitest'
import { type LaneName, type LaneState, laneNames, laneOf, mayBegin } from './lanes.ts'

const lanes = (running: Partial<Record<LaneName, number>>, used = Object.keys(running)): LaneState[] =>
  laneNames.map(name => ({ name, running: running[name] ?? 0, limit: 100, used: used.includes(name) }))
const may = (name: LaneName, all: LaneState[]) => mayBegin(all.find(lane => lane.name === name) as LaneState, all, 100)

describe('mayBegin', () => {
  it('gives a lane that is alone everything', () => {
    expect(may('dns', lanes({ dns: 99 }))).toBe(true)
    expect(may('dns', lanes({ dns: 100 }))).toBe(false)
  })

  it('keeps places for the others, however great the storm', () => {
    const storm = lanes({ dns: 63, ssl: 12 }, ['web', 'dns', 'ssl'])
    expect([may('dns', storm), may('ssl', storm), may('web', storm)]).toEqual([false, false, true])
  })

  it('gives what is kept for a lane to that lane until it is full', () => {
    expect(may('web', lanes({ dns: 75, web: 24 }))).toBe(true)
    expect(may('web', lanes({ dns: 75, web: 25 }))).toBe(false)
  })

  it('counts pings apart: they take no place, and none is taken from them', () => {
    expect(may('web', lanes({ web: 50, ping: 100 }))).toBe(true)
    expect(may('ping', lanes({ web: 100, ping: 50 }))).toBe(true)
  })

  it('keeps to the limit of a lane', () => {
    const all = lanes({ ping: 10 })
    for (const lane of all) if (lane.name === 'ping') Object.assign(lane, { limit: 10 })
    expect(may('ping', all)).toBe(false)
  })

  it('keeps no place where there are too few to keep', () => {
    const one = lanes({ web: 0 }, ['web', 'dns'])
    expect(mayBegin(one[0] as LaneState, one, 1)).toBe(true)
  })
})

it('has a lane for every type, also for one that is not known yet', () => {
  expect(['http', 'https', 'tcp', 'ssl', 'dns', 'ping', 'new'].map(laneOf)).toEqual([
    'web',
    'web',
    'tcp',
    'ssl',
    'dns',
    'ping',
    'web',
  ])
})
