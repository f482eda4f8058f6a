import type { Verb } from '../command.ts'

export const verb: Verb = {
  name: 'schema',
  summary: 'JSON Schema of files, for editors',
  description:
    'Print the JSON Schema of the files that "apply" takes. Editors with YAML support use it when the first line of a ' +
    'file is "# yaml-language-server: $schema=watchpost.schema.json".',
  forms: ['json', 'yaml'],
  examples: ['schema > watchpost.schema.json'],
  async run({ session }) {
    await session.out.serialise(await session.publicClient().getFileSchema())
  },
}
