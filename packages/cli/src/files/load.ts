import { keyOfKind, type PlanWrite, type ResourceKind, resourceKinds } from '@watchpost/contract'
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parse, parseAllDocuments, visit } from 'yaml'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { isObject, readSource } from '../verbs/body.ts'
import { filesOf } from './folder.ts'
import { fillVariables } from './variables.ts'

/** Where an item of the files stands. */
export interface Place {
  file: string
  kind: ResourceKind
  name: string
  /** Line of a field of it, or of itself. */
  line(path: readonly (string | number)[]): number
}

/** What files say, all together. */
export interface Loaded {
  resources: NonNullable<PlanWrite['resources']>
  places: Record<ResourceKind, Place[]>
  /** Paths of values that nobody is shown. */
  secrets: string[]
  /** Who manages it, if a file says so. */
  source: string | undefined
  /** A heading has an empty list written out: that there is nothing is meant. */
  emptied: boolean
}

/** Begins what stands for a secret until its path is known; no YAML can hold it. */
const marker = '\u0000'

/**
 * Reads files and folders of them.
 * @throws {UsageError} naming file and line of everything that is wrong
 */
export async function loadFiles(paths: readonly string[], io: Io): Promise<Loaded> {
  const gathered = new Gathered(io.env)
  for (const file of await filesOf(paths)) gathered.add(file, await readSource(file, io))
  return gathered.finish()
}

class Gathered {
  private readonly env: Io['env']
  private readonly items: Record<ResourceKind, unknown[]> = {
    monitors: [],
    status_pages: [],
    channels: [],
    maintenance: [],
  }
  private readonly places: Record<ResourceKind, Place[]> = {
    monitors: [],
    status_pages: [],
    channels: [],
    maintenance: [],
  }
  private readonly secrets: string[] = []
  private readonly hidden: string[] = []
  private readonly faults: Record<string, string> = {}
  private emptied = false
  private source: { name: string; at: string } | undefined

  constructor(env: Io['env']) {
    this.env = env
  }

  add(file: string, text: string): void {
    const lines = new LineCounter()
    const documents = parseAllDocuments(text, { lineCounter: lines, merge: true, prettyErrors: false })
    for (const document of Array.isArray(documents) ? documents : [])
      this.addDocument(file, document as Document, lines)
  }

  finish(): Loaded {
    if (Object.keys(this.faults).length > 0) {
      throw new UsageError('the files need mending', this.faults)
    }
    const used = resourceKinds.filter(kind => this.items[kind].length > 0)
    const resources = Object.fromEntries(used.map(kind => [kind, this.items[kind]]))
    const { places, secrets, emptied } = this
    return { resources, places, secrets, source: this.source?.name, emptied }
  }

  private fault(file: string, lines: LineCounter, offset: number | undefined, message: string): void {
    const at = `${file}:${offset === undefined ? 1 : lines.linePos(offset).line}`
    this.faults[at] = this.faults[at] === undefined ? message : `${this.faults[at]}; ${message}`
  }

  private addDocument(file: string, document: Document, lines: LineCounter): void {
    for (const error of document.errors) this.fault(file, lines, error.pos[0], error.message)
    if (document.errors.length > 0 || document.contents === null) return
    // As after a last `---`, which generators like to write.
    if (isScalar(document.contents) && document.contents.value === null) return
    if (!isMap(document.contents)) {
      const headings = resourceKinds.join(', ')
      this.fault(file, lines, document.contents?.range?.[0], `must have headings (${headings})`)
      return
    }
    this.fill(file, document, lines)
    let value: unknown
    try {
      value = document.toJS()
    } catch (error) {
      this.fault(file, lines, 0, (error as Error).message)
      return
    }
    for (const pair of document.contents.items) {
      const key = isScalar(pair.key) ? String(pair.key.value) : ''
      const offset = (pair.key as Node | null)?.range?.[0]
      const held = (value as Record<string, unknown>)[key]
      if (key === 'source') this.addSource(file, lines, offset, held)
      else if (!resourceKinds.some(kind => kind === key)) {
        this.fault(file, lines, offset, `unknown heading "${key}"; there are ${resourceKinds.join(', ')} and source`)
      } else if (held !== null && !Array.isArray(held)) this.fault(file, lines, offset, `${key} must be a list`)
      else this.addItems(file, key as ResourceKind, (held ?? []) as unknown[], pair.value as Node | null, lines)
    }
  }

  /** Variables in values; keys are what they are. */
  private fill(file: string, document: Document, lines: LineCounter): void {
    visit(document, {
      Scalar: (key, node) => {
        if (key === 'key' || typeof node.value !== 'string' || !node.value.includes('${')) return
        const filled = fillVariables(node.value, this.env)
        for (const message of filled.faults) this.fault(file, lines, node.range?.[0], message)
        if (filled.secret) {
          this.hidden.push(filled.text)
          node.value = `${marker}${this.hidden.length - 1}`
        } else node.value = filled.used && node.type === 'PLAIN' ? plain(filled.text) : filled.text
      },
    })
  }

  private addSource(file: string, lines: LineCounter, offset: number | undefined, held: unknown): void {
    const { source } = this
    if (typeof held !== 'string') this.fault(file, lines, offset, 'source must be a name')
    else if (source !== undefined && source.name !== held) {
      this.fault(file, lines, offset, `source is "${held}" here and "${source.name}" in ${source.at}`)
    } else this.source = { name: held, at: file }
  }

  private addItems(file: string, kind: ResourceKind, held: unknown[], node: Node | null, lines: LineCounter): void {
    if (isSeq(node) && held.length === 0) this.emptied = true
    for (const [at, raw] of held.entries()) {
      const index = this.items[kind].length
      const item = this.reveal(raw, `${kind}.${index}`, '')
      const itemNode = isSeq(node) ? (node.items[at] as Node) : node
      const place: Place = {
        file,
        kind,
        name: isObject(item) ? String(item[keyOfKind[kind]] ?? '') : '',
        line: path => lines.linePos(nodeAt(itemNode, path)?.range?.[0] ?? itemNode?.range?.[0] ?? 0).line,
      }
      if (!isObject(item)) this.fault(file, lines, itemNode?.range?.[0], `${kind} must be a list of fields`)
      this.items[kind].push(item)
      this.places[kind].push(place)
    }
  }

  /** The value with its secrets in their places, which are remembered. */
  private reveal(value: unknown, path: string, name: string): unknown {
    if (typeof value === 'string') {
      if (!value.startsWith(marker)) return value
      this.secrets.push(path)
      return this.hidden[Number(value.slice(marker.length))]
    }
    if (Array.isArray(value)) return value.map((each, index) => this.reveal(each, `${path}.${index}`, ''))
    if (!isObject(value)) return value
    const entries = Object.entries(value)
    const [only] = entries
    // `password: { secret: … }`: a value that says of itself that it is one.
    if (entries.length === 1 && only?.[0] === 'secret' && name !== 'headers' && name !== '') {
      const inner = this.reveal(only[1], path, 'secret')
      if (!this.secrets.includes(path)) this.secrets.push(path)
      return inner
    }
    return Object.fromEntries(entries.map(([key, each]) => [key, this.reveal(each, `${path}.${key}`, key)]))
  }
}

/** A plain scalar made of variables is a number where it looks like one, as if it had been written so. */
function plain(text: string): unknown {
  const value = text === '' ? '' : parse(text)
  return typeof value === 'number' || typeof value === 'boolean' ? value : text
}

function nodeAt(node: Node | null, path: readonly (string | number)[]): Node | undefined {
  let found: Node | undefined
  let at: unknown = node
  for (const part of path) {
    if (isSeq(at)) at = at.items[Number(part)]
    else if (isMap(at)) {
      const pair = at.items.find(each => isScalar(each.key) && String(each.key.value) === String(part))
      found = (pair?.key as Node | undefined) ?? found
      at = pair?.value
      continue
    } else break
    found = (at as Node | undefined) ?? found
  }
  return found
}
