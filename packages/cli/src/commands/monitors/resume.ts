import { switchVerb } from './switch.ts'

export const resumeMonitor = switchVerb('resume', true, 'Check a paused monitor again')
