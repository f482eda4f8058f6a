import { isIP } from 'node:net'

/** `address:port`, with brackets around an IPv6 address. */
export const at = (ip: string, port: number) => (isIP(ip) === 6 ? `[${ip}]:${port}` : `${ip}:${port}`)
