export function StatusPageEditor() {
  return null
}
