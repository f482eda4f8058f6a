export function NewChannel() {
  return null
}
export function EditChannel() {
  return null
}
