import type { Key } from 'ink'
import { useState } from 'react'

/** A line that is being typed at the bottom of a screen, and what becomes of it. */
export interface Asking {
  label: string
  text: string
  done(text: string): void
  /** While it is typed; then an empty line means something, too. */
  typed?(text: string): void
}

const longest = 500

/** One line of input; while something is asked, every key but Ctrl-C is for it. */
export function useAsking() {
  const [asking, setAsking] = useState<Asking>()
  const change = (text: string) => {
    setAsking(before => before && { ...before, text })
    asking?.typed?.(text)
  }
  const add = (text: string, more: string) => change((text + more.replace(/\r\n?|[\n\t]/g, ' ')).slice(0, longest))
  return {
    /** What is to be seen of it; undefined where nothing is asked. */
    line: asking === undefined ? undefined : `${asking.label}${asking.text}▏`,
    ask: setAsking,
    /** Takes what is pasted, its lines as one; undefined where nothing is asked. */
    paste: asking === undefined ? undefined : (text: string) => add(asking.text, text),
    key(input: string, key: Key): void {
      if (asking === undefined) return
      const { text, done, typed } = asking
      if (key.return) {
        setAsking(undefined)
        if (text.trim() !== '' || typed !== undefined) done(text.trim())
      } else if (key.escape) {
        setAsking(undefined)
        typed?.('')
      } else if (key.backspace || key.delete) change([...text].slice(0, -1).join(''))
      else if (key.ctrl && input === 'u') change('')
      else if (input !== '' && !key.ctrl && !key.meta) add(text, input)
    },
  }
}
