import { ApiError, type Incident, type IncidentStatus, type IncidentSummary } from '@watchpost/contract'
import { Text, useApp, useWindowSize } from 'ink'
import { useCallback, useEffect, useRef, useState } from 'react'
import { escapeText } from '../escape.ts'
import { Listing, type Page } from '../timeline/listing.ts'
import type { Source } from '../timeline/source.ts'
import { Frame } from './frame.tsx'
import { IncidentList } from './incident-list.tsx'
import { IncidentScreen } from './incident-screen.tsx'
import { useAsking } from './use-asking.ts'
import { useKeys } from './use-keys.ts'
import { usePoll } from './use-poll.ts'

export interface TimelineProps {
  source: Source
  first: Page
  /** Only this one is looked at; there is no list to go back to. */
  id: number | undefined
  intervalMs: number
  url: string
  colour: boolean
  onInterrupt(): void
}

const help = [
  ['↑ ↓  j k', 'move, or scroll what was said; PgUp PgDn Home End g G too; past the end: older ones'],
  ['enter', 'open an incident; esc goes back'],
  ['u', 'say something new'],
  ['a', 'acknowledge: identified, with a message'],
  ['m', 'a fix is in place: monitoring, with a message'],
  ['R', 'resolved, with a message'],
  ['?', 'these keys'],
  ['q', 'quit'],
]

const says: Record<string, { status?: IncidentStatus; label: string; text: string }> = {
  u: { label: 'Update', text: '' },
  a: { status: 'identified', label: 'Acknowledge', text: 'We are looking into it.' },
  m: { status: 'monitoring', label: 'Monitoring', text: 'A fix is in place; we are watching.' },
  R: { status: 'resolved', label: 'Resolve', text: '' },
}

/** Incidents, and what is said of one. */
export function Timeline({ source, first, id, intervalMs, url, colour, onInterrupt }: TimelineProps) {
  const { exit } = useApp()
  const { columns, rows } = useWindowSize()
  const now = useSeconds()
  const [openId, setOpenId] = useState(id)
  const [selectedId, setSelectedId] = useState<number>()
  const [scrolled, setScrolled] = useState(0)
  const [showsKeys, setShowsKeys] = useState(false)
  const [said, setSaid] = useState('')
  // Counts what was said from here: it is read again at once then.
  const [told, setTold] = useState(0)
  const [listing] = useState(() => new Listing(first, page => source.older(page)))
  const isReadingOn = useRef(false)
  const asking = useAsking()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another reading is what it is for
  const load = useCallback(async () => listing.take(await source.incidents()), [source, told])
  const list = usePoll(load, undefined, intervalMs, openId === undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another reading is what it is for
  const loadOne = useCallback(
    async () => (openId === undefined ? undefined : source.incident(openId)),
    [source, openId, told],
  )
  const one = usePoll<Incident | undefined>(loadOne, undefined, intervalMs, openId !== undefined)

  const { incidents } = listing
  const selected = Math.max(
    0,
    incidents.findIndex(incident => incident.id === selectedId),
  )
  const full = one.data?.id === openId ? one.data : undefined
  const listed = incidents.find(incident => incident.id === openId)
  // One that was just resolved may be older than all that the list has.
  const current = openId === undefined ? incidents[selected] : (listed ?? full)
  const page = Math.max(1, rows - 6)

  const select = (to: number) =>
    setSelectedId(listing.incidents[Math.min(listing.incidents.length - 1, Math.max(0, to))]?.id)
  const readOn = async (to: number) => {
    if (isReadingOn.current) return
    isReadingOn.current = true
    setSaid('…')
    try {
      await listing.readOn()
      select(to)
      setSaid('')
    } catch (error) {
      setSaid(sayError(error))
    } finally {
      isReadingOn.current = false
    }
  }

  const speak = (key: string, { id: of }: IncidentSummary) => {
    const { status, label = '', text = '' } = says[key] ?? {}
    const send = async (message: string) => {
      setSaid('…')
      try {
        await source.say(of, message, status)
        setSaid(`Incident ${of}: ${status === undefined ? 'said' : `is ${status}`}`)
        setTold(count => count + 1)
        setScrolled(0)
      } catch (error) {
        setSaid(sayError(error))
      }
    }
    asking.ask({ label: `${label}, incident ${of}: `, text, done: message => void send(message) })
  }

  useKeys((input, key) => {
    const by = (lines: number) => {
      if (openId !== undefined) return setScrolled(at => Math.max(0, at - lines))
      const to = selected + lines
      select(to)
      if (to >= incidents.length && listing.more > 0) void readOn(to)
    }
    if (key.ctrl && input === 'c') {
      onInterrupt()
      return exit()
    }
    if (asking.line !== undefined) return asking.key(input, key)
    setSaid(last => (last === '…' ? last : ''))
    if (showsKeys) setShowsKeys(false)
    else if (input === 'q') exit()
    else if (input === '?') setShowsKeys(true)
    else if (Object.hasOwn(says, input) && current !== undefined) speak(input, current)
    else if (key.upArrow || input === 'k') by(-1)
    else if (key.downArrow || input === 'j') by(1)
    else if (key.pageUp) by(-page)
    else if (key.pageDown) by(page)
    else if (key.home || input === 'g') by(Number.NEGATIVE_INFINITY)
    else if (key.end || input === 'G') by(Number.POSITIVE_INFINITY)
    else if (openId === undefined && key.return && current !== undefined) {
      setScrolled(0)
      setSelectedId(current.id)
      setOpenId(current.id)
    } else if (id === undefined && (key.escape || key.leftArrow || key.backspace)) setOpenId(undefined)
  }, asking.paste)

  const look = { columns, rows, colour, now }
  const foot = escapeText(asking.line ?? said)
  if (showsKeys) {
    return (
      <Frame title="Keys" state="" keys="any key: back" {...look} reading={list}>
        {help.map(([key = '', meaning]) => (
          <Text key={key} wrap="truncate">{`  ${key.padEnd(12)}${meaning}`}</Text>
        ))}
      </Frame>
    )
  }
  if (openId === undefined || current === undefined) {
    return <IncidentList {...look} url={url} listing={listing} selected={selected} reading={list} foot={foot} />
  }
  const back = id === undefined ? 'esc back   ' : ''
  const keys = foot || `${back}u say more   a acknowledge   m monitoring   R resolve   ? keys   q quit`
  return (
    <IncidentScreen
      {...look}
      incident={full ?? current}
      updates={full?.updates}
      scrolled={scrolled}
      onScrolled={setScrolled}
      reading={one}
      keys={keys}
    />
  )
}

function sayError(error: unknown): string {
  const { message } = error as Error
  return error instanceof ApiError && error.code === 'forbidden' ? `${message}: a viewer only looks` : message
}

/** The time, each second. */
function useSeconds(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
