import { type App, routes } from '@watchpost/contract'
import type { Verb } from '../../command.ts'
import { flagsOf } from '../../flags.ts'
import { appView } from '../../format/apps.ts'
import { readBody, requireFields } from '../../verbs/body.ts'
import { idOf } from '../../verbs/id.ts'
import { sendForItem } from '../../verbs/send.ts'

// A key that leaked is rotated in a hurry: it does not ask.
export const rotateApp: Verb = {
  name: 'rotate',
  summary: 'Make a key anew; the old one is refused at once',
  words: [['<ID>', 'id of the app']],
  flags: () => flagsOf(routes.rotateAppKey.body),
  examples: ['apps rotate 1 --key app_token', 'apps rotate 1 --key api_key -o json'],
  async run({ session, words, given, flags }) {
    const params = { id: idOf(words[0]) }
    const body = await readBody(flags, given, session.io)
    requireFields(flags, body)
    const { data, message } = await sendForItem<App>(session.client, 'rotateAppKey', { params, body })
    if (session.out.format === 'table') session.out.note(`${message}.`)
    await session.out.item(data, appView)
  },
}
