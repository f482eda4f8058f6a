import { describe, expect, test } from 'vitest'
import { run } from './testing/run.ts'
import { httpServer, tcpServer } from './testing/servers.ts'

describe('a redirect', () => {
  const redirect = (location: string | ((host: string) => string), status = 302) =>
    httpServer((request, response) => {
      const to = typeof location === 'string' ? location : location(request.headers.host ?? '')
      if (request.url === '/end') return void response.end(request.method)
      response.writeHead(status, { location: to }).end()
    })

  test.each([
    [302, 'post', 'GET'],
    [303, 'put', 'GET'],
    [307, 'post', 'POST'],
    [308, 'delete', 'DELETE'],
  ] as const)('%i after %s is followed with %s', async (status, method, then) => {
    const address = await redirect('/end', status)
    const outcome = await run('http', `http://${address}/`, { keyword: then }, { method })
    expect(outcome).toMatchObject({ status: 'online', details: { redirects: 1, url: `http://${address}/end` } })
  })

  test.each([
    ['UTF-8, as bytes', 'utf8', '/caf%C3%A9'],
    ['Latin-1', 'latin1', '/caf%C3%A9'],
  ] as const)('with an accent in %s is followed to what browsers ask for', async (_, encoding, path) => {
    const address = await tcpServer(socket => {
      socket.once('data', asked => {
        const end = asked.toString().startsWith(`GET ${path} `)
        const head = end ? 'HTTP/1.1 200 OK\r\n' : 'HTTP/1.1 302 Found\r\nLocation: /café\r\n'
        socket.end(Buffer.from(`${head}Content-Length: 0\r\n\r\n`, encoding))
      })
    })
    const outcome = await run('http', `http://${address}/`)
    expect(outcome).toMatchObject({ status: 'online', details: { url: `http://${address}${path}` } })
  })

  test('is judged itself when it is not to be followed', async () => {
    const address = await redirect('/end')
    const options = { follow_redirects: false, expected_status: [302] }
    expect(await run('http', `http://${address}/`, options)).toMatchObject({ status: 'online' })
  })

  test('that leads back is a loop', async () => {
    const address = await redirect('/a')
    const outcome = await run('http', `http://${address}/a`)
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'http_redirect_loop' })
  })

  test('that goes on for ever is given up', async () => {
    let asked = 0
    const address = await httpServer((_, response) => response.writeHead(302, { location: `/${++asked}` }).end())
    const outcome = await run('http', `http://${address}/`, { max_redirects: 3 })
    expect(outcome).toMatchObject({ error_kind: 'http_too_many_redirects', error_message: 'More than 3 redirects.' })
    expect(asked).toBe(4)
  })

  test('to something that is no web address is invalid', async () => {
    const address = await redirect('file:///etc/passwd')
    expect(await run('http', `http://${address}/`)).toMatchObject({ error_kind: 'http_invalid' })
  })

  test('to an address that nobody may look at is refused', async () => {
    const address = await redirect('http://169.254.169.254/latest/meta-data/')
    const outcome = await run('http', `http://${address}/`)
    expect(outcome).toMatchObject({ error_kind: 'address_refused', details: { address: '169.254.169.254' } })
  })

  test('to another origin carries no secrets along', async () => {
    let seen: Record<string, unknown> = {}
    const other = await httpServer((request, response) => {
      seen = request.headers
      response.end()
    })
    const address = await redirect(`http://user:pw@${other}/`)
    const options = {
      auth: { type: 'bearer', token: 'swordfish' },
      headers: { 'X-Api-Key': 'key-1234', Cookie: 'a=b', 'Accept-Language': 'de' },
    }
    expect(await run('http', `http://${address}/`, options)).toMatchObject({ status: 'online' })
    expect(seen['accept-language']).toBe('de')
    expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['authorization']))
    expect(seen).not.toHaveProperty('x-api-key')
    expect(seen).not.toHaveProperty('cookie')
  })
})
