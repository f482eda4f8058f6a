import { useState } from 'react'
import { Icon } from './icon.tsx'
import { toast } from './toast.tsx'

/** Text to be taken elsewhere: a command, a key. */
export function Copy({ text, label = 'Copy', secret = false }: { text: string; label?: string; secret?: boolean }) {
  const [done, setDone] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
      setTimeout(() => setDone(false), 2000)
    } catch {
      toast('The browser does not let us copy; select the text instead.', 'bad')
    }
  }
  return (
    <div className={secret ? 'copy secret' : 'copy'}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <button type="button" className="button small" data-first onClick={copy} aria-label={`${label} to the clipboard`}>
        <Icon name={done ? 'check' : 'copy'} />
        {done ? 'Copied' : 'Copy'}
      </button>
    </div>
  )
}
