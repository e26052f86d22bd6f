import type {
  ComparedHost,
  ComparedKind,
  ComparedThings,
  Comparison,
} from '../server/contract/control-comparison.ts'
import type { Fixtures } from '../server/contract/fixtures-types.ts'
import { plainLine } from './plain-text.ts'

/** Names told of a kind at most: a dialog cannot be scrolled. */
const mostNames = 5
const longestName = 40

const nouns: Readonly<Record<ComparedKind, readonly [one: string, many: string]>> = {
  users: ['user', 'users'],
  organizations: ['organization', 'organizations'],
  apps: ['app', 'apps'],
  repos: ['repo', 'repos'],
  webhooks: ['webhook', 'webhooks'],
  jobs: ['job', 'jobs'],
}

/** What a fixtures file holds, a line for each kind, and where it leads. */
export function describeContent({ things, hosts }: Comparison): string[] {
  const lines = things
    .filter(({ there }) => there.count > 0)
    .map(({ kind, there }) => `${count(there.count, kind)}: ${list(there.names, there.count)}`)
  return [...(lines.length === 0 ? ['It is empty.'] : lines), ...describeHosts(hosts)]
}

/** That a file shows a run which was written down, and what that means for whoever opens it. */
export function describeLog(log: Fixtures['log']): string[] {
  if (log === undefined) return []
  const { madeAt, command, requests, records } = log
  const what = command === undefined ? '' : ` of ${plainLine(command, 60)}`
  const deliveries = records.deliveries?.length ?? 0
  return [
    `It shows a recorded run${what}, ${madeAt.slice(0, 10)}: ${requests.length} ${requests.length === 1 ? 'request' : 'requests'}, ${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'}.`,
    'Nothing is delivered, retried or run until you resume it there.',
  ]
}

/** How it differs from the user's own sandbox, a line for each kind. */
export function describeDifferences({ things }: Comparison): string[] {
  const lines = things.flatMap((thing) => {
    const parts = differencesOf(thing)
    return parts.length === 0 ? [] : [`${nouns[thing.kind][1]}: ${parts.join('; ')}`]
  })
  return lines.length === 0
    ? ['Your sandbox has the same, as far as fixtures go.']
    : ['Against your sandbox:', ...lines]
}

function differencesOf({ added, removed, changed }: ComparedThings): string[] {
  const others = changed.things.map(({ name, members }) => `${name} (${members.join(', ')})`)
  return [
    added.count === 0 ? '' : `${added.count} more, ${list(added.names, added.count)}`,
    removed.count === 0 ? '' : `${removed.count} missing, ${list(removed.names, removed.count)}`,
    changed.count === 0 ? '' : `${changed.count} otherwise, ${list(others, changed.count)}`,
  ].filter((part) => part !== '')
}

function describeHosts(hosts: readonly ComparedHost[]): string[] {
  const named = (use: ComparedHost['use'], isLoopback: boolean) =>
    hosts.filter((it) => it.use === use && it.isLoopback === isLoopback).map(({ host }) => host)
  const line = (what: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${what}: ${list(names, names.length)}`]
  return [
    ...line('Webhooks for other machines, which it may not call', named('webhook', false)),
    ...line('Webhooks for this machine', named('webhook', true)),
    ...line('Sign-ins lead to other machines', named('redirect', false)),
    ...line('Sign-ins lead to this machine', named('redirect', true)),
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
