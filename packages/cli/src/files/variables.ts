import type { Io } from '../io.ts'

/** `${NAME}`, `${NAME:-default}`, and `$${` for what is none. */
const variable = /\$\$\{|\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}|\$\{[^}]*\}?/g

/** Names whose values nobody is shown. */
const secretName = /(^|_)(TOKEN|SECRET|PASSWORD|PASSWD|PASS|PW|KEY|CREDENTIALS?|AUTH|DSN)(_|$)/i

export interface Filled {
  text: string
  /** Whether any variable was named. */
  used: boolean
  /** Whether the name of one says that it is a secret. */
  secret: boolean
  /** What is wrong, a sentence each. */
  faults: string[]
}

/** Text with what the environment holds in the place of variables. */
export function fillVariables(text: string, env: Io['env']): Filled {
  const filled: Filled = { text, used: false, secret: false, faults: [] }
  filled.text = text.replaceAll(variable, (whole, name: string | undefined, otherwise: string | undefined) => {
    if (whole === '$${') return '${'
    if (name === undefined) {
      filled.faults.push(`"${whole}" is no variable; write \${NAME}, \${NAME:-default}, or $\${ for the characters`)
      return whole
    }
    filled.used = true
    filled.secret ||= secretName.test(name)
    const value = env[name]
    if (value !== undefined && (value !== '' || otherwise === undefined)) return value
    if (otherwise !== undefined) return otherwise
    filled.faults.push(`the variable ${name} is not set; export it, or write \${${name}:-default}`)
    return ''
  })
  return filled
}

/** Text that {@link fillVariables} leaves as it is. */
export function escapeVariables(text: string): string {
  return text.replaceAll('${', () => '$${')
}
