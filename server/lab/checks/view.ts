import { describeRule } from './describe-rule.ts'
import type { Evidence } from './evidence.ts'
import type { EvidenceItem } from './rule.ts'
import type { Finding } from './evaluate.ts'
import type { EvidenceReaders, FindingAbout } from './kept-findings.ts'
import type { AdviceEvidence, AdviceFinding } from '../../contract/control-advice.ts'
import { maskHeader, maskText } from '../../core/mask.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { own } from '../../core/own.ts'
import { pathOf, queryPartOf } from '../../core/request-target.ts'
import { maskSecret } from '../../core/secrets.ts'
import { requestParameters } from '../../inspect/details/parameter-details.ts'
import { readReveal } from '../../inspect/details/reveal.ts'
import type { RequestRecord } from '../../inspect/log/request-log.ts'
import type { ServerDeps } from '../server-deps.ts'
import { appRef } from '../../hub/access/refs.ts'

/** Reads what findings show, from the record that they were found in. */
export function evidenceReaders(
  deps: ServerDeps,
  { webhooks }: Pick<Evidence, 'webhooks'>,
  findings: readonly Finding[],
): EvidenceReaders {
  const secrets = secretParameters(findings)
  const deliveries = new Set(
    webhooks.flatMap((webhook) => webhook.deliveries.map(({ delivery }) => delivery.id)),
  )
  return {
    describe: (finding) => describeFinding(deps, finding),
    show: (items) => items.map((item) => showEvidence(deps, item, secrets)),
    has: ({ kind, id }) =>
      kind === 'request'
        ? deps.requests.get(id) !== undefined
        : deliveries.has(id.split('/', 1)[0] ?? ''),
  }
}

function describeFinding(deps: ServerDeps, { id, rule, subject }: Finding): FindingAbout {
  const { id: ruleId, level: _level, exceptions: _exceptions, ...about } = describeRule(rule)
  const { clientId, webhookId } = subject
  return {
    id,
    rule: ruleId,
    ...about,
    ...(clientId !== undefined && { app: appRef(deps, clientId) }),
    ...(webhookId !== undefined && { webhook: webhookRef(deps, webhookId) }),
  }
}

/** Most characters of an entry that is kept after the log has dropped its request. */
const mostCharacters = 4096

function showEvidence(
  deps: ServerDeps,
  { isSecret: _isSecret, ...item }: EvidenceItem,
  secrets: SecretParameters,
): AdviceEvidence {
  const { parameters = [], ...shown }: AdviceEvidence = {
    ...item,
    note: shorten(maskText(item.note)),
    ...omitUndefined(shownOf(deps, item, secrets)),
  }
  let left = mostCharacters - JSON.stringify(shown).length
  const fitting = parameters.filter((one) => (left -= JSON.stringify(one).length + 1) >= 0)
  return fitting.length === 0 ? shown : { ...shown, parameters: fitting }
}

/** Most characters of a value or a line. */
const mostOfOne = 1000

function shorten(text: string): string {
  return text.length <= mostOfOne ? text : `${text.slice(0, mostOfOne)}…`
}

function webhookRef({ state }: ServerDeps, id: string): NonNullable<AdviceFinding['webhook']> {
  const { name, url } = state.webhooks.get(id) ?? {}
  return { id, ...omitUndefined({ name, url: url && maskText(url) }) }
}

/** Content of a request, as far as the log still has it. */
function shownOf(
  { requests }: ServerDeps,
  { kind, id, parameter }: EvidenceItem,
  secrets: SecretParameters,
) {
  const record = kind === 'request' ? requests.get(id) : undefined
  if (record === undefined) return {}
  return {
    line: `${record.method} ${shorten(maskText(withoutSecrets(record.url, secrets.get(id))))} ${record.status}`,
    flowId: requests.flows.ofRequest(id)?.id,
    parameters: parametersOf(record, parameter).map((one) => {
      if (one.value === undefined) return one
      const isSecret = secrets.get(id)?.has(one.name) === true
      return { ...one, value: shorten(isSecret ? maskSecret(one.value) : one.value) }
    }),
  }
}

/** Names of parameters of requests, by request, whose values are secrets although their names are not. */
type SecretParameters = ReadonlyMap<string, ReadonlySet<string>>

function secretParameters(findings: readonly Finding[]): SecretParameters {
  const secrets = new Map<string, Set<string>>()
  const occurrences = findings.flatMap((finding) => finding.occurrences)
  for (const { id, parameter, isSecret } of occurrences.flatMap(({ evidence }) => evidence)) {
    if (isSecret !== true || parameter === undefined) continue
    secrets.set(id, (secrets.get(id) ?? new Set()).add(parameter))
  }
  return secrets
}

function withoutSecrets(target: string, names: ReadonlySet<string> | undefined): string {
  const query = queryPartOf(target)
  const sent = [...(names ?? [])].filter((name) => query.has(name))
  if (sent.length === 0) return target
  for (const name of sent) query.set(name, maskSecret(query.get(name) ?? ''))
  return `${pathOf(target)}?${query.toString()}`
}

/** A request can have thousands. */
const mostParameters = 20

function parametersOf(record: RequestRecord, marked: string | undefined) {
  const listed = requestParameters(record, readReveal()).map(({ name, value }) => ({ name, value }))
  const header = marked === undefined ? undefined : own(record.request.headers, marked)
  const all =
    marked === undefined || listed.some(({ name }) => name === marked)
      ? listed
      : [{ name: marked, ...headerValue(marked, header) }, ...listed]
  return all
    .toSorted((one, other) => Number(other.name === marked) - Number(one.name === marked))
    .slice(0, mostParameters)
    .map((one) => (one.name === marked ? { ...one, marked: true as const } : one))
}

/** A parameter that the request has neither as a parameter nor as a header is missing. */
function headerValue(name: string, value: string | string[] | undefined): { value?: string } {
  return value === undefined ? {} : { value: maskHeader(name, String(value)) }
}
