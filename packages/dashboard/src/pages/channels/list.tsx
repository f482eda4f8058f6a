export function ChannelList() {
  return null
}
