import { expect, test } from 'vitest'
import { candidates, fromHostsFile, parseHosts, parseResolvConf } from './system-names.ts'

test('reads a hosts file: several names a line, comments, both families', () => {
  const hosts = parseHosts(
    '127.0.0.1 localhost Box # here\n::1\tlocalhost\nfe80::1%lo link\n# 1.2.3.4 no\nnonsense name\n',
  )
  expect(Object.fromEntries(hosts)).toEqual({
    localhost: ['127.0.0.1', '::1'],
    box: ['127.0.0.1'],
    link: ['fe80::1%lo'],
  })
})

test('knows localhost, and names below it, whatever the file says', () => {
  expect(fromHostsFile('localhost')[0]).toMatch(/^(127\.0\.0\.1|::1)$/)
  expect(fromHostsFile('app.localhost')).toEqual(['127.0.0.1', '::1'])
  expect(fromHostsFile('localhost.example.com')).toEqual([])
})

test('reads resolv.conf as resolv.conf(5) has it: the last search list counts', () => {
  expect(
    parseResolvConf(
      'domain old.test\nsearch a.test b.test.\nnameserver 192.0.2.1\nnameserver ::1 # x\noptions ndots:5\n',
    ),
  ).toEqual({ servers: ['192.0.2.1', '::1'], search: ['a.test', 'b.test'], ndots: 5 })
  expect(parseResolvConf('; nothing\n')).toEqual({ servers: [], search: [], ndots: 1 })
})

test.each([
  ['db', 1, ['db.a.test', 'db.b.test', 'db']],
  ['db.prod', 1, ['db.prod', 'db.prod.a.test', 'db.prod.b.test']],
  ['api.example.com', 5, ['api.example.com.a.test', 'api.example.com.b.test', 'api.example.com']],
])('of %s with ndots:%i asks for %j', (name, ndots, wanted) => {
  expect(candidates(name, { search: ['a.test', 'b.test'], ndots })).toEqual(wanted)
})
