import { switchVerb } from './switch.ts'

export const pauseMonitor = switchVerb('pause', false, 'Stop checking a monitor')
