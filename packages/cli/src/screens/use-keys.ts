import { type Key, useInput, usePaste } from 'ink'
import { useEffect, useRef, useState } from 'react'

/** A key, or text that was typed faster than it was read. */
export interface Pressed {
  input: string
  key: Key
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: keys that are control characters are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001f]/

/**
 * The first of what came in one read, and the rest: Enter and Ctrl-U are keys however soon they follow a text; pure.
 * @param isTyped a line is being typed: text stays in one piece. Else each character is a key of its own.
 */
export function firstOf(pressed: Pressed, isTyped: boolean): [first: Pressed, rest: Pressed | undefined] {
  const { input, key } = pressed
  if (input === '' || key.ctrl || key.meta) return [pressed, undefined]
  const at = input.search(controls)
  const text = isTyped ? input.slice(0, at < 0 ? undefined : Math.max(1, at)) : ([...input][0] ?? '')
  const rest = input.slice(text.length).replace(text === '\r' ? /^\n/ : /^$/, '')
  return [keyOf(text, key), rest === '' ? undefined : { input: rest, key }]
}

function keyOf(text: string, key: Key): Pressed {
  if (text === '\r') return { input: '', key: { ...key, return: true } }
  if (!controls.test(text)) return { input: text, key }
  return { input: String.fromCharCode(text.charCodeAt(0) + 96), key: { ...key, ctrl: true } }
}

/**
 * Keys, one after the other: each is handled when what the one before it did is on the screen.
 * @param typing what a line that is being typed does with a paste; undefined where there is none: a paste is no keys
 */
export function useKeys(handle: (input: string, key: Key) => void, typing?: (pasted: string) => void): void {
  const waiting = useRef<Pressed[]>([])
  const isBusy = useRef(false)
  const [handled, setHandled] = useState(0)
  const latest = useRef({ handle, typing })
  useEffect(() => {
    latest.current = { handle, typing }
  })
  const next = () => {
    const pressed = waiting.current.shift()
    isBusy.current = pressed !== undefined
    if (pressed === undefined) return
    const [first, rest] = firstOf(pressed, latest.current.typing !== undefined)
    if (rest !== undefined) waiting.current.unshift(rest)
    latest.current.handle(first.input, first.key)
    // With what the key changed: once this is seen, so is that.
    setHandled(count => count + 1)
  }
  const goOn = useRef(next)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each key that was handled lets the next one in
  useEffect(() => {
    if (!isBusy.current) return
    const soon = setImmediate(goOn.current)
    return () => clearImmediate(soon)
  }, [handled])
  useEffect(
    () => () => {
      waiting.current = []
    },
    [],
  )
  useInput((input, key) => {
    waiting.current.push({ input, key })
    if (!isBusy.current) next()
  })
  usePaste(pasted => typing?.(pasted))
}
