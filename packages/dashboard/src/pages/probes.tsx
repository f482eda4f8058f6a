export function Probes() {
  return null
}
