import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface Mail {
  to: string[]
  text: string
  user: string | undefined
}

/** A real mail server that keeps what it gets, and refuses whom it is told to. */
export class Mailbox {
  readonly mails: Mail[] = []
  /** Answer to recipients of this name: a code of SMTP. */
  readonly refused = new Map<string, number>()
  password = 'sesame'
  private readonly server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) => {
      if (password === this.password) done(null, { user: username })
      else done(Object.assign(new Error('wrong password'), { responseCode: 535 }))
    },
    onRcptTo: ({ address }, _session, done) => {
      const code = this.refused.get(address)
      done(code === undefined ? null : Object.assign(new Error(`no ${address}`), { responseCode: code }))
    },
    onData: (stream, { envelope, user }, done) => {
      let text = ''
      stream.on('data', chunk => {
        text += chunk
      })
      stream.on('end', () => {
        this.mails.push({ to: envelope.rcptTo.map(({ address }) => address), text, user: user as string | undefined })
        done()
      })
    },
  })

  /** @returns the port */
  async start(): Promise<number> {
    await new Promise<void>(resolve => this.server.listen(0, '127.0.0.1', resolve))
    return (this.server.server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    await new Promise<void>(resolve => this.server.close(() => resolve()))
  }
}
