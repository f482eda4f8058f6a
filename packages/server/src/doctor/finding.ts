/** What was found about one thing: fine, worth knowing, or wrong; the last two with their mend. */
export interface Finding {
  what: string
  status: 'ok' | 'warn' | 'fail'
  message: string
}

export const ok = (what: string, message: string): Finding => ({ what, status: 'ok', message })

export const warn = (what: string, message: string, mend: string): Finding => ({
  what,
  status: 'warn',
  message: `${message}; mend: ${mend}`,
})

export const fail = (what: string, message: string, mend: string): Finding => ({
  what,
  status: 'fail',
  message: `${message}; mend: ${mend}`,
})
