import type {
  ComparedHost,
  ComparedKind,
  ComparedThings,
  Comparison,
} from '../server/contract/control-comparison.ts'
import type { Fixtures } from '../server/contract/fixtures-types.ts'
import { plainLine } from './plain-text.ts'

/** Maximum number of names of a kind: a dialog cannot be scrolled. */
const mostNames = 5
const longestName = 40

const nouns: Readonly<Record<ComparedKind, readonly [one: string, many: string]>> = {
  users: ['user', 'users'],
  organizations: ['organization', 'organizations'],
  apps: ['app', 'apps'],
  repos: ['repo', 'repos'],
  collections: ['collection', 'collections'],
  webhooks: ['webhook', 'webhooks'],
  jobs: ['job', 'jobs'],
}

/** Describes the content of a fixtures file: one line for each kind, and its external hosts. */
export function describeContent({ things, hosts }: Comparison): string[] {
  const lines = things
    .filter(({ there }) => there.count > 0)
    .map(({ kind, there }) => `${count(there.count, kind)}: ${list(there.names, there.count)}`)
  return [...(lines.length === 0 ? ['The file is empty.'] : lines), ...describeHosts(hosts)]
}

/** Describes the recorded run of a file. */
export function describeLog(log: Fixtures['log']): string[] {
  if (log === undefined) return []
  const { madeAt, command, requests, records } = log
  const what = command === undefined ? '' : ` of ${plainLine(command, 60)}`
  const deliveries = records.deliveries?.length ?? 0
  return [
    `Recorded run${what}, ${madeAt.slice(0, 10)}: ${requests.length} ${requests.length === 1 ? 'request' : 'requests'}, ${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'}.`,
    'It is for viewing only: nothing is delivered, retried or run.',
  ]
}

/** Describes the differences from the user's own sandbox, one line for each kind. */
export function describeDifferences({ things }: Comparison): string[] {
  const lines = things.flatMap((thing) => {
    const parts = differencesOf(thing)
    return parts.length === 0 ? [] : [`${nouns[thing.kind][1]}: ${parts.join('; ')}`]
  })
  return lines.length === 0
    ? ['Your sandbox has the same fixtures.']
    : ['Compared with your sandbox:', ...lines]
}

function differencesOf({ added, removed, changed }: ComparedThings): string[] {
  const others = changed.things.map(({ name, members }) => `${name} (${members.join(', ')})`)
  return [
    added.count === 0 ? '' : `${added.count} added, ${list(added.names, added.count)}`,
    removed.count === 0 ? '' : `${removed.count} removed, ${list(removed.names, removed.count)}`,
    changed.count === 0 ? '' : `${changed.count} changed, ${list(others, changed.count)}`,
  ].filter((part) => part !== '')
}

function describeHosts(hosts: readonly ComparedHost[]): string[] {
  const named = (use: ComparedHost['use'], isLoopback: boolean) =>
    hosts.filter((it) => it.use === use && it.isLoopback === isLoopback).map(({ host }) => host)
  const line = (what: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${what}: ${list(names, names.length)}`]
  return [
    ...line('Webhooks to other machines (blocked)', named('webhook', false)),
    ...line('Webhooks to this machine', named('webhook', true)),
    ...line('Sign-ins redirect to other machines', named('redirect', false)),
    ...line('Sign-ins redirect to this machine', named('redirect', true)),
  ]
}

function count(number: number, kind: ComparedKind): string {
  return `${number} ${nouns[kind][number === 1 ? 0 : 1]}`
}

function list(names: readonly string[], all: number): string {
  const shown = names.slice(0, mostNames).map((name) => plainLine(name, longestName))
  return all > shown.length
    ? `${shown.join(', ')} and ${all - shown.length} others`
    : shown.join(', ')
}
