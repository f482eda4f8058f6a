import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { isIP } from 'node:net'
import type { Resolver } from './dns-client.ts'

// One port sees few questions and not for long: who would forge an answer has to guess it as well as the id.
const maxQuestions = 64
const maxAge = 2000
const maxShared = 64

/** Who waits for an answer. */
export interface Listener {
  /** A message that bears the id of the question: not yet known to be an answer to it. */
  heard(message: Buffer): void
  failed(error: Error): void
}

const shared = new Map<string, Channel>()
const lastHeard = new Map<string, number>()

/** A UDP socket to one resolver, connected, so that the kernel drops what others send and tells of a closed port. */
export class Channel {
  readonly #key: string
  readonly #socket: Socket
  readonly #listeners = new Map<number, Listener>()
  readonly #timer: NodeJS.Timeout
  #unsent: Buffer[] | null = []
  #questions = 0
  readonly #sent = (error: Error | null) => error && this.#fail(error)
  #isRetired = false

  /** A channel of one's own, when an error must be nobody else's: closes with its last question. */
  constructor(resolver: Resolver) {
    const { ip, port } = resolver
    const family = isIP(ip)
    this.#key = keyOf(resolver)
    this.#socket = createSocket({
      type: family === 6 ? 'udp6' : 'udp4',
      // It is an address already: node:dgram would ask the system all the same. Not at once, for what goes wrong then
      // must find somebody who waits.
      lookup: (address, _, done) => process.nextTick(done, null, address, family),
    })
    this.#socket.unref()
    this.#socket.on('error', error => this.#fail(error))
    this.#socket.on('message', message => this.#hear(message))
    this.#socket.on('connect', () => {
      const waiting = this.#unsent ?? []
      this.#unsent = null
      for (const packet of waiting) this.send(packet)
    })
    this.#socket.connect(port, ip)
    this.#timer = setTimeout(() => this.retire(), maxAge).unref()
  }

  /** The channel that others use too; a new one, with another port, every now and then. */
  static to(resolver: Resolver): Channel {
    const key = keyOf(resolver)
    const known = shared.get(key)
    if (known) return known
    const channel = new Channel(resolver)
    if (shared.size < maxShared) shared.set(key, channel)
    return channel
  }

  /** Whether an error may have been caused by somebody else's question. */
  get isShared(): boolean {
    return this.#questions > 1
  }

  /** Takes a question with an id that nobody else has here, and writes it into the packet. */
  ask(packet: Buffer, listener: Listener): number {
    let id = randomInt(0x10000)
    while (this.#listeners.has(id)) id = randomInt(0x10000)
    packet.writeUInt16BE(id)
    this.#listeners.set(id, listener)
    this.#questions++
    this.send(packet)
    if (this.#questions >= maxQuestions || shared.get(this.#key) !== this) this.retire()
    return id
  }

  /** Sends a question that was taken, for the first time or again. */
  send(packet: Buffer): void {
    if (this.#unsent) this.#unsent.push(packet)
    else this.#socket.send(packet, this.#sent)
  }

  /** Nobody waits for this answer any more. */
  forget(id: number): void {
    this.#listeners.delete(id)
    this.#closeIfDone()
  }

  /** Takes no more questions; closes once those that it has are answered. */
  retire(): void {
    this.#isRetired = true
    if (shared.get(this.#key) === this) shared.delete(this.#key)
    this.#closeIfDone()
  }

  #hear(message: Buffer): void {
    // The latest last, so that the first is the one to be forgotten.
    lastHeard.delete(this.#key)
    lastHeard.set(this.#key, performance.now())
    if (lastHeard.size > maxShared) for (const [oldest] of [...lastHeard].slice(0, 1)) lastHeard.delete(oldest)
    if (message.length >= 2) this.#listeners.get(message.readUInt16BE())?.heard(message)
  }

  #fail(error: Error): void {
    const listeners = [...this.#listeners.values()]
    this.#listeners.clear()
    this.retire()
    for (const listener of listeners) listener.failed(error)
  }

  #closeIfDone(): void {
    if (!this.#isRetired || this.#listeners.size > 0) return
    clearTimeout(this.#timer)
    this.#unsent = []
    this.#close()
  }

  // An error while connecting closes it from within, and nothing says so beforehand.
  #close(): void {
    try {
      this.#socket.close()
    } catch {
      // Closed already.
    }
  }
}

/** When a resolver last said anything at all, by `performance.now()`; -Infinity when it never did. */
export const lastHeardFrom = (resolver: Resolver): number => lastHeard.get(keyOf(resolver)) ?? Number.NEGATIVE_INFINITY

const keyOf = ({ ip, port }: Resolver) => `${ip} ${port}`
