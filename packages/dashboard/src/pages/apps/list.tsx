export function AppList() {
  return null
}
