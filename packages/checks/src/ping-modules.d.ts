// The package has types for these two, but beside them, not where an import looks.
declare module 'ping/lib/builder/factory.js' {
  const builders: typeof import('ping/types/builder/factory.js')
  export default builders
}
declare module 'ping/lib/parser/factory.js' {
  const parsers: typeof import('ping/types/parser/factory.js')
  export default parsers
}
