import { type Scope, type ScopeDescription, scopes } from '../../contract/scopes.ts'
import {
  type AccessAction,
  type AccessRule,
  accountRules,
  type AnyScope,
  collectionRules,
  namespaceRules,
  openRules,
  repoRules,
} from '../../hub/access/access-rules.ts'
import { markdownTable } from './tables.ts'

/** Calls, by the action that permits them. */
export type CallsByAction = ReadonlyMap<AccessAction, readonly string[]>

type Labeled = Partial<AccessRule> & Pick<AccessRule, 'label'>

const groups = {
  Repo: repoRules,
  Namespace: namespaceRules,
  Collection: collectionRules,
  Account: accountRules,
  Hub: openRules,
} as const

/** Returns the table of scopes: what each allows, for organizations too or not, and the calls that need it. */
export function renderScopeTable(): string {
  const rows = Object.entries<ScopeDescription>(scopes).map(
    ([name, { allows, ...description }]) => [
      `\`${name}\``,
      `${allows}${description.hidden === true ? ' (not in the documentation of the Hub)' : ''}`,
      description.organizations === true ? 'yes' : '',
      actionsOf(name as Scope).join('<br>'),
    ],
  )
  return markdownTable(['Scope', 'Allows the app to', 'Organizations', 'Opens'], rows)
}

/** Names the actions that need a scope or accept it as an alternative. */
function actionsOf(scope: Scope): string[] {
  return Object.entries(groups).flatMap(([group, rules]) =>
    Object.values<Labeled>(rules)
      .filter((rule) => needsOf(rule).some((any) => any.includes(scope)))
      .map((rule) => nameAction(group, rule)),
  )
}

function needsOf({
  scopes: always = [],
  privateScopes = [],
  foreignScopes = [],
  gatedScopes,
  ownApp,
}: Partial<AccessRule>): AnyScope[] {
  return [
    ...always,
    ...privateScopes,
    ...foreignScopes,
    ...(gatedScopes === undefined ? [] : Object.values(gatedScopes)),
    ...(ownApp === true ? [['contribute-repos'] as const] : []),
  ]
}

/** Returns the table of actions: the scopes that each needs, and its calls. */
export function renderCallTable(calls: CallsByAction): string {
  const rows = Object.entries(groups).flatMap(([group, rules]) =>
    Object.entries<Labeled>(rules).map(([action, rule]) => [
      nameAction(group, rule),
      describeNeeds(rule, rules === openRules),
      (calls.get(action as AccessAction) ?? []).map((call) => `\`${call}\``).join('<br>'),
    ]),
  )
  return markdownTable(['Action', 'Scopes', 'Calls'], rows)
}

function nameAction(group: string, { label, title = label }: Labeled): string {
  return `${group}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`
}

function describeNeeds(rule: Partial<AccessRule>, isOpen: boolean): string {
  const { scopes: always, privateScopes, foreignScopes, gatedScopes, ownApp } = rule
  if (always === undefined && !isOpen) {
    return 'none allows it: a user access token or the session'
  }
  const further: [needs: readonly AnyScope[] | undefined, where: string][] = [
    [privateScopes, 'private'],
    [gatedScopes && [gatedScopes.own], 'gated, own'],
    [gatedScopes && [gatedScopes.foreign], 'gated, of others'],
    [foreignScopes, 'of another user'],
  ]
  return [
    joinNeeds(always ?? []),
    ...further
      .filter(([needs = []]) => needs.length > 0)
      .map(([needs = [], where]) => `${where}: also ${joinNeeds(needs)}`),
    ...(ownApp === true ? ['created by the app: or `contribute-repos`'] : []),
  ].join('<br>')
}

function joinNeeds(needs: readonly AnyScope[]): string {
  if (needs.length === 0) return 'none'
  return needs
    .map((any) => any.map((scope) => `\`${scope}\``).join(' or '))
    .map((text) => (needs.length > 1 && text.includes(' or ') ? `(${text})` : text))
    .join(' and ')
}
