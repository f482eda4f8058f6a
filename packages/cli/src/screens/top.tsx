import { ApiError } from '@watchpost/contract'
import { Text, useApp, useWindowSize } from 'ink'
import { useEffect, useState } from 'react'
import { escapeText } from '../escape.ts'
import { arrange, type Order, orders } from '../top/board.ts'
import type { Live } from '../top/live.ts'
import type { Feed } from '../watch/feed.ts'
import { Frame } from './frame.tsx'
import { MonitorScreen } from './monitor-screen.tsx'
import { summaryOf } from './severity.ts'
import { headLine, rowLine } from './top-lines.ts'
import { useAsking } from './use-asking.ts'
import { useKeys } from './use-keys.ts'

export interface TopProps {
  live: Live
  feed: Feed
  url: string
  colour: boolean
  onInterrupt(): void
}

// At most four times a second however much is told; and each second, since "in 12 s" must not stand still.
const redrawMs = 250
const seeded = 12

const help = [
  ['↑ ↓  j k', 'move; PgUp PgDn Home End g G too'],
  ['enter', 'open a monitor; esc goes back'],
  ['/', 'filter by name, target, type or status; esc ends it'],
  ['s  S', 'next order: status, name, response, uptime, next; back'],
  ['r', 'reverse the order'],
  ['p', 'pause the monitor, or resume it'],
  ['a', 'acknowledge its incident: identified, with a message'],
  ['?', 'these keys'],
  ['q', 'quit'],
]

/** All monitors live. */
export function Top({ live, feed, url, colour, onInterrupt }: TopProps) {
  const { exit } = useApp()
  const { columns, rows } = useWindowSize()
  const now = useBeat(live)
  const [order, setOrder] = useState<Order>('status')
  const [reversed, setReversed] = useState(false)
  const [filter, setFilter] = useState('')
  const [openId, setOpenId] = useState<number>()
  // Undefined until the person moves: then what is on top, whichever that is.
  const [selectedId, setSelectedId] = useState<number>()
  const [showsKeys, setShowsKeys] = useState(false)
  const asking = useAsking()
  const [said, setSaid] = useState('')

  const all = live.board.rows
  const shown = arrange(all, order, reversed, filter)
  const selected = Math.max(
    0,
    shown.findIndex(({ monitor }) => monitor.id === selectedId),
  )
  const current = shown[selected]?.monitor
  const room = Math.max(1, rows - 5)
  const from = Math.max(0, Math.min(selected - Math.floor(room / 2), shown.length - room))

  useEffect(() => {
    live.run().catch(error => exit(error))
    const first = arrange(live.board.rows, 'status', false, '').slice(0, seeded)
    void live.seed(first.map(({ monitor }) => monitor.id))
    return () => live.close()
  }, [live, exit])

  const attempt = (what: Promise<string>) => {
    setSaid('…')
    what.then(setSaid, error => setSaid(sayError(error)))
  }
  const acknowledge = async (id: number, name: string): Promise<string> => {
    const incident = await live.incidentOf(id)
    if (incident === undefined) return `${name} has no open incident`
    asking.ask({
      label: `Acknowledge incident ${incident.id}, message: `,
      text: 'We are looking into it.',
      done: message =>
        attempt(live.acknowledge(incident.id, message).then(() => `Incident ${incident.id} is identified`)),
    })
    return ''
  }

  useKeys((input, key) => {
    const move = (to: number) => setSelectedId(shown[Math.min(shown.length - 1, Math.max(0, to))]?.monitor.id)
    const turn = (by: number) => {
      const next = orders[(orders.indexOf(order) + by + orders.length) % orders.length]
      if (next !== undefined) setOrder(next)
    }
    if (key.ctrl && input === 'c') {
      onInterrupt()
      exit()
    } else if (asking.line !== undefined) asking.key(input, key)
    else if (showsKeys) setShowsKeys(false)
    else if (input === 'q') exit()
    else if (input === '?') setShowsKeys(true)
    else if (openId !== undefined && (key.escape || key.leftArrow || key.backspace)) setOpenId(undefined)
    else if (input === 'p' && current !== undefined) {
      attempt(live.toggle(current).then(({ name, status }) => `${name} is ${status}`))
    } else if (input === 'a' && current !== undefined) attempt(acknowledge(current.id, current.name))
    else if (openId !== undefined) return
    else if (key.escape) setFilter('')
    else if (input === '/') asking.ask({ label: 'Filter: ', text: filter, done: setFilter, typed: setFilter })
    else if (input === 's') turn(1)
    else if (input === 'S') turn(-1)
    else if (input === 'r') setReversed(!reversed)
    else if (key.upArrow || input === 'k') move(selected - 1)
    else if (key.downArrow || input === 'j') move(selected + 1)
    else if (key.pageUp) move(selected - room)
    else if (key.pageDown) move(selected + room)
    else if (key.home || input === 'g') move(0)
    else if (key.end || input === 'G') move(shown.length - 1)
    else if (key.return && current !== undefined) {
      setSelectedId(current.id)
      setOpenId(current.id)
    }
    setSaid(last => (last === '…' || input === 'p' || input === 'a' ? last : ''))
  }, asking.paste)

  const reading = { data: undefined, at: live.at, trouble: live.trouble }
  const look = { columns, rows, colour, now }
  const foot = asking.line ?? said
  const keysHint = '↑↓ move  enter open  / filter  s sort  p pause  a acknowledge  ? keys  q quit'
  if (showsKeys) {
    return (
      <Frame title="Keys" state="" keys="any key: back" {...look} reading={reading}>
        {help.map(([key = '', meaning]) => (
          <Text key={key} wrap="truncate">{`  ${key.padEnd(12)}${meaning}`}</Text>
        ))}
      </Frame>
    )
  }
  const open = openId === undefined ? undefined : live.board.row(openId)?.monitor
  if (open !== undefined) {
    const keys = escapeText(foot) || 'esc back   p pause   a acknowledge   q quit'
    return <MonitorScreen key={open.id} {...look} feed={feed} first={open} intervalMs={5000} canGoBack keys={keys} />
  }
  const lines = shown.slice(from, from + room).map((row, index) => rowLine(row, from + index === selected, look))
  const sorted = `${filter === '' ? '' : `${shown.length} of `}${summaryOf(all.map(({ monitor }) => monitor))}, by ${order}${reversed ? ' ↑' : ''}`
  return (
    <Frame title={`Watchpost  ${url}`} state={sorted} reading={reading} keys={escapeText(foot) || keysHint} {...look}>
      <Text wrap="truncate">{headLine(look)}</Text>
      <Text wrap="truncate">{lines.length > 0 ? lines.join('\n') : emptyLine(all.length)}</Text>
    </Frame>
  )
}

function emptyLine(total: number): string {
  return total === 0 ? '  No monitors yet: "monitorctl monitors create --help"' : '  Nothing matches; esc shows all'
}

function sayError(error: unknown): string {
  const { message } = error as Error
  return error instanceof ApiError && error.code === 'forbidden' ? `${message}: a viewer only looks` : message
}

/** The time of the latest drawing: four a second while something changes, one when only time passes. */
function useBeat(live: Live): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    let seen = -1
    let drawn = 0
    const timer = setInterval(() => {
      const time = Date.now()
      if (live.board.version === seen && time - drawn < 1000) return
      seen = live.board.version
      drawn = time
      setNow(time)
    }, redrawMs)
    return () => clearInterval(timer)
  }, [live])
  return now
}
