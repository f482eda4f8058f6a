export function StatusPageList() {
  return null
}
