export function AppPage() {
  return null
}
