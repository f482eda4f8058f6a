import { describe, expect, test } from 'vitest'
import type { Head } from './http-head.ts'
import { AnswerReader } from './http-reader.ts'

interface Seen {
  head: Head | null
  body: string
  isComplete: boolean
  kind: string | null
  message?: string
}

/** Reads an answer that comes in these pieces; then the connection ends, unless `stays`. */
function read(pieces: Buffer[], { stays = false, wantsBody = true } = {}): Seen {
  const seen: Seen = { head: null, body: '', isComplete: false, kind: null }
  const reader = new AnswerReader('target:80', {
    onHead: head => {
      seen.head = head
      return wantsBody
    },
    onBody: bytes => {
      seen.body += bytes.toString('latin1')
    },
  })
  try {
    for (const piece of pieces) if (!reader.isComplete) reader.feed(piece)
    if (!stays) reader.end()
  } catch (error) {
    seen.kind = (error as { kind: string }).kind
    seen.message = (error as Error).message
  }
  seen.isComplete = reader.isComplete
  return seen
}

const bytes = (text: string) => Buffer.from(text, 'latin1')
const single = (text: string) => [...bytes(text)].map(byte => Buffer.from([byte]))

const ok = 'HTTP/1.1 200 OK\r\n'
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`

describe('an answer', () => {
  test.each([
    ['with a length', `${ok}Content-Length: 5\r\n\r\nhello`, 'hello'],
    ['with no length but an end', `${ok}\r\nhello`, 'hello'],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nhello', 'hello'],
    ['without a reason', 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhi', 'hi'],
    ['in chunks', `${chunked}5\r\nhello\r\n6;a=b;c="d"\r\n, worl\r\n1 \r\nd\r\n0\r\n\r\n`, 'hello, world'],
    ['with trailers', `${chunked}A\r\n0123456789\r\n000\r\nX-Sum: 1\r\n\r\n`, '0123456789'],
    ['after informational ones', `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ok}Content-Length: 1\r\n\r\na`, 'a'],
    [
      'whose body looks like a head',
      `${ok}Content-Length: 19\r\n\r\nHTTP/1.1 500 No\r\n\r\n`,
      'HTTP/1.1 500 No\r\n\r\n',
    ],
    ['without content', 'HTTP/1.1 204 No Content\r\nContent-Length: 10\r\n\r\n', ''],
    ['not modified', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n', ''],
    ['that switches protocols', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n\x81\x05hello', ''],
    ['with an empty line after it', `${ok}Content-Length: 2\r\n\r\nhi\r\n`, 'hi'],
    ['of length 0', `${ok}Content-Length: 0\r\n\r\n`, ''],
    ['with odd but valid headers', `${ok}X-Empty:\r\nx_y~!: \t a\xe4 b \t\r\ncontent-LENGTH:\t3 \r\n\r\nabc`, 'abc'],
  ])('%s is read the same however it is cut', (_, answer, body) => {
    const whole = read([bytes(answer)])
    expect(whole).toMatchObject({ body, kind: null, isComplete: true })
    expect(read(single(answer))).toEqual(whole)
    for (let cut = 1; cut < answer.length; cut++) {
      expect(read([bytes(answer.slice(0, cut)), bytes(answer.slice(cut))])).toEqual(whole)
    }
  })

  test('shows what a check looks at, by lowercase name', () => {
    const answer = `${ok}LOCATION: /a\r\nLocation: /b\r\nContent-Type: text/html \r\nServer: x\r\nContent-Encoding: gzip\r\nContent-Encoding: br\r\nContent-Length: 0\r\n\r\n`
    const { head } = read([bytes(answer)])
    expect([head?.status, head?.version]).toEqual([200, '1.1'])
    expect([...(head?.headers ?? [])]).toEqual([
      ['location', '/a'],
      ['content-type', 'text/html'],
      ['content-encoding', 'gzip, br'],
      ['content-length', '0'],
    ])
  })

  test('ends with its head when nobody wants the body', () => {
    const answer = bytes(`${ok}Content-Length: 100\r\n\r\nabc`)
    expect(read([answer], { wantsBody: false, stays: true })).toMatchObject({ body: '', isComplete: true, kind: null })
  })
})

describe('what is no answer', () => {
  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['HTTP/0.9', '<html>hello</html>'],
    ['HTTP/2 with a preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['frames of HTTP/2', '\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x80'],
    ['HTTP/3.0', 'HTTP/3.0 200 OK\r\n\r\n'],
    ['ICY', 'ICY 200 OK\r\n\r\n'],
    ['a status below 100', 'HTTP/1.1 099 No\r\n\r\n'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
    ['no status', 'HTTP/1.1 OK\r\n\r\n'],
    ['two spaces before the status', 'HTTP/1.1  200 OK\r\n\r\n'],
    ['a control character in the reason', 'HTTP/1.1 200 O\0K\r\n\r\n'],
    ['an empty line first', `\r\n${ok}\r\n`],
    ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n'],
    ['a bare carriage return', `${ok}A: b\rC: d\r\n\r\n`],
    ['a folded header', `${ok}A: b\r\n c\r\n\r\n`],
    ['a header without a colon', `${ok}nonsense\r\n\r\n`],
    ['a header without a name', `${ok}: a\r\n\r\n`],
    ['a space before the colon', `${ok}Content-Length : 0\r\n\r\n`],
    ['NUL in a header', `${ok}A: b\0c\r\n\r\n`],
    ['two lengths', `${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    ['one length twice', `${ok}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`],
    ['a list of lengths', `${ok}Content-Length: 1, 1\r\n\r\na`],
    ['a length below zero', `${ok}Content-Length: -1\r\n\r\n`],
    ['a length with a sign', `${ok}Content-Length: +1\r\n\r\na`],
    ['a length in hexadecimal', `${ok}Content-Length: 0x1\r\n\r\na`],
    ['a length beyond all numbers', `${ok}Content-Length: 99999999999999999999\r\n\r\na`],
    ['a length and chunks', `${ok}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks twice', `${ok}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a transfer coding that nobody asked for', `${ok}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['a chunk without a size', `${chunked}zz\r\nabc\r\n`],
    ['an empty chunk size', `${chunked}\r\nabc\r\n`],
    ['a chunk size below zero', `${chunked}-1\r\na\r\n`],
    ['a chunk size with 0x', `${chunked}0x1\r\na\r\n0\r\n\r\n`],
    ['a chunk size beyond all numbers', `${chunked}fffffffffffffffff\r\na\r\n`],
    ['a chunk longer than it says', `${chunked}1\r\nabc\r\n0\r\n\r\n`],
    ['bare line feeds in chunks', `${chunked}1\na\n0\n\n`],
    ['a trailer that is none', `${chunked}0\r\nnonsense\r\n\r\n`],
  ])('%s is invalid however it is cut', (_, answer) => {
    expect(read([bytes(answer)])).toMatchObject({ kind: 'http_invalid' })
    expect(read(single(answer))).toMatchObject({ kind: 'http_invalid' })
  })

  test.each([
    ['\x15\x03\x01\0\x02\x02\x46', 'target:80 expects TLS: the address should begin with https://.'],
    ['\0\0\x12\x04\0\0\0\0\0', 'target:80 speaks HTTP/2 without being asked to.'],
    ['+OK POP3 ready\r\n', 'target:80 does not speak HTTP.'],
  ])('and says what %j may be', (answer, message) => {
    expect(read([bytes(answer)])).toMatchObject({ kind: 'http_invalid', message })
  })

  test('more than the length that was announced', () => {
    expect(read([bytes(`${ok}Content-Length: 3\r\n\r\nabcdef`)])).toMatchObject({ kind: 'http_invalid' })
    expect(read([bytes('HTTP/1.1 204 No Content\r\n\r\nabc')])).toMatchObject({ kind: 'http_invalid' })
  })

  test.each([
    ['nothing', '', 'connect_reset'],
    ['half a status line', 'HTTP/1', 'http_truncated'],
    ['half a head', `${ok}Content-`, 'http_truncated'],
    ['an informational answer only', 'HTTP/1.1 100 Continue\r\n\r\n', 'http_truncated'],
    ['half a body', `${ok}Content-Length: 9\r\n\r\nabc`, 'http_truncated'],
    ['half a chunk size', `${chunked}9`, 'http_truncated'],
    ['half a chunk', `${chunked}9\r\nabc`, 'http_truncated'],
    ['no last chunk', `${chunked}3\r\nabc\r\n`, 'http_truncated'],
    ['half the trailers', `${chunked}0\r\n`, 'http_truncated'],
  ])('%s, when the connection ends', (_, answer, kind) => {
    expect(read([bytes(answer)])).toMatchObject({ kind, isComplete: false })
    expect(read(single(answer))).toMatchObject({ kind, isComplete: false })
  })

  test.each([
    ['one header without end', [ok, `X: ${'y'.repeat(70_000)}`]],
    ['headers without end', [ok, 'X: y\r\n'.repeat(12_000)]],
    ['informational answers without end', ['HTTP/1.1 102 Processing\r\n\r\n'.repeat(3000)]],
  ])('%s is too large', (_, pieces) => {
    expect(read(pieces.map(bytes), { stays: true })).toMatchObject({ kind: 'http_too_large' })
  })

  test('chunks that are all extension are invalid, small ones are not', () => {
    const padded = `1;${'x'.repeat(1000)}\r\na\r\n`.repeat(100)
    expect(read([bytes(chunked), bytes(padded)])).toMatchObject({ kind: 'http_invalid' })
    const small = '1\r\na\r\n'.repeat(100_000)
    expect(read([bytes(chunked), bytes(`${small}0\r\n\r\n`)]).body).toHaveLength(100_000)
  })
})
