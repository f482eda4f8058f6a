import { IconButton } from '../../ui/button.tsx'

/** What an attribute holds, as text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Names and what they hold; each can be asked for. */
export function Attributes(props: {
  title: string
  of: Record<string, unknown>
  onAsk?: ((key: string, value: unknown) => void) | undefined
}) {
  const { title, of, onAsk } = props
  const pairs = Object.entries(of)
  if (pairs.length === 0) return null
  return (
    <section className="attribute-list">
      <h3>{title}</h3>
      <dl>
        {pairs.map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>
              {textOf(value)}
              {onAsk !== undefined && (
                <IconButton icon="search" label={`Only ${key}=${textOf(value)}`} onClick={() => onAsk(key, value)} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
