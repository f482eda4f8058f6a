import { expect, test } from 'vitest'
import { groups } from './group.ts'
import { monitor, view } from './sample.ts'

const named = (id: number, name: string, group_name: string) => monitor({ id, name, group_name })
const headings = (markup: string) =>
  markup.match(/(?<=<h)[23]><bdi>.*?(?=<\/bdi>)/g)?.map(text => text.replace('><bdi>', ''))

function draw(change: Parameters<typeof view>[0]): string {
  return groups(view(change))
    .map(({ markup }) => markup)
    .join('')
}

test('groups and their monitors keep the order of the payload', () => {
  const markup = draw({
    groups: [
      { name: 'Web', status: 'operational' },
      { name: 'API', status: 'operational' },
    ],
    monitors: [named(1, 'v2', 'API'), named(2, 'Shop', 'Web'), named(3, 'v1', 'API'), named(4, 'Blog', 'Web')],
  })
  expect(headings(markup)).toEqual(['2Web', '3Shop', '3Blog', '2API', '3v2', '3v1'])
})

test('no monitor is lost when its group is not listed, and no heading stands alone', () => {
  const markup = draw({
    groups: [{ name: 'Empty', status: 'operational' }],
    monitors: [named(1, 'Stray', 'Forgotten')],
  })
  expect(headings(markup)).toEqual(['2Forgotten', '3Stray'])
})

test('a group says how many of it nobody watches', () => {
  const markup = draw({ monitors: [monitor(), monitor({ id: 2, current_status: 'unknown' })] })
  expect(markup).toContain('Operational · 1 not watched')
})

test('a group says how many of it are down', () => {
  const markup = draw({
    groups: [{ name: 'General', status: 'partial' }],
    monitors: [monitor(), monitor({ id: 2, current_status: 'down' })],
  })
  expect(markup).toContain('Partly down · 1 of 2 down')
  expect(markup).toContain('data-status="partial"')
})
