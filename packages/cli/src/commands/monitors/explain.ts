import { explanationView } from '../../format/explanation.ts'
import { getVerb } from '../../verbs/get.ts'

export const explainMonitor = getVerb({
  name: 'explain',
  route: 'explainMonitor',
  of: 'monitor',
  view: explanationView,
  summary: 'Why a monitor has its status: attempts, votes, and a command that looks again',
  examples: ['monitors explain 7', 'monitors explain 7 -o json'],
})
