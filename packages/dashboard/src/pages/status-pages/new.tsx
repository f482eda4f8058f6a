export function NewStatusPage() {
  return null
}
