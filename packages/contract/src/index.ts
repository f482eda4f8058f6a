export * from './schema/check.ts'
export * from './schema/monitor.ts'
export * from './schema/probe.ts'
export * from './schema/scalar.ts'
