import type { Resources } from '@watchpost/contract'
import type { Verb } from '../command.ts'
import { writeResources } from '../files/write.ts'

export const verb: Verb = {
  name: 'export',
  summary: 'Write what the server has as files',
  description:
    'Write monitors, status pages, channels and maintenance as YAML that can be applied, and changes nothing then. ' +
    'Secrets are left out, or masked as ***; both mean that they stay as they are.',
  forms: ['json', 'yaml'],
  examples: ['export > monitoring.yaml', 'export -o json | jq .monitors'],
  async run({ session }) {
    const { data } = await session.client.exportResources()
    const some = Object.entries(data).filter(([, items]) => items.length > 0)
    await writeResources(session, Object.fromEntries(some) as Resources, [
      `yaml-language-server: $schema=${session.url}/schema.json`,
      'Secrets are left out or ***, and stay as they are.',
    ])
  },
}
