import type { DecodedToken, FlowStep, FlowStepDetail } from '../../../contract/control-flows.ts'
import { resultOf } from '../../../contract/flow-result.ts'
import type { FlowResult } from '../../../contract/words/sandbox-words.ts'
import { html, type Html } from '../../../core/html.ts'
import { diagramOf, endingOf, toneOf } from './diagram.ts'
import type { FlowEvidence } from './report-evidence.ts'
import { anchor, badge, facts, formatMs, message, table, type Tone } from './report-parts.ts'

const tones: Readonly<Record<FlowResult, Tone>> = {
  completed: 'ok',
  refused: 'bad',
  pending: 'warn',
  denied: 'plain',
  expired: 'plain',
}

/** Renders a sign-in: result, drawing, and every step with its details. */
export function flowSection({ flow, details }: FlowEvidence): Html {
  const { id, kind, app, user, startedAt, lastAt, explanation, steps, missing } = flow
  const result = resultOf(flow)
  const byStep = new Map(details.map((detail) => [detail.step.id, detail]))
  return html`<section id="${anchor('flow', id)}">
    <h2>
      Sign-in ${id} ${badge(result, tones[result])}${flow.audit === true && badge('audit', 'plain')}
    </h2>
    <p class="lead">${explanation}</p>
    ${facts([
      ['Grant', kind],
      ['App', app?.name],
      ['User', user?.username],
      ['First request', startedAt],
      ['Last request', lastAt],
    ])}${missing.map((sentence) => html`<p class="warn">${sentence}</p>`)}
    ${diagramOf(flow)}
    <ol class="steps">
      ${steps.map((step) => stepItem(step, byStep.get(step.id)))}
    </ol>
  </section> `
}

function stepItem(step: FlowStep, detail: FlowStepDetail | undefined): Html {
  const ending = endingOf(step)
  const tone = toneOf(step)
  const { polls, changes = [] } = step
  return html`<li>
    <h3>${step.name} ${ending !== '' && badge(ending, tone)}</h3>
    <p class="soft">${step.from} → ${step.to}, ${step.at}, +${formatMs(step.sinceMs)}</p>
    ${step.explanation !== undefined && html`<p>${step.explanation}</p>`}${changes.map((change) => html`<p class="warn">Changed by a fault: ${change}</p>`)}
    ${
      polls &&
      table(
        'Polls',
        ['After', 'Answer'],
        polls.list.map(({ sinceMs, answer }) => [formatMs(sinceMs), answer]),
      )
    }${detail && detailBlock(detail)}
  </li> `
}

function detailBlock(detail: FlowStepDetail): Html {
  const { parameters, pkce, redirectUri, scopes, organizations, exchange, tokens } = detail
  const { request, answer } = detail
  return html`${table(
    'Parameters',
    ['Name', 'Value', 'Place', 'Purpose'],
    parameters.map(({ name, value, place, purpose = '', source, ignored }) => [
      name,
      value,
      place,
      [purpose, source && `(${source})`, ignored && 'ignored'].filter(Boolean).join(' '),
    ]),
  )}${
    pkce &&
    facts([
      ['PKCE method', pkce.method],
      ['Challenge', pkce.challenge],
      ['Verifier', pkce.verifier?.value],
      ['Computed challenge', pkce.computed],
      ['Equal', yesOrNo(pkce.equal)],
    ])
  }${
    redirectUri &&
    table(
      `Redirect URI ${redirectUri.sent}: ${redirectUri.matches ? 'registered' : 'not registered'}`,
      ['Registered', 'Matches'],
      redirectUri.registered.map(({ value, matches }) => [value, matches ? 'yes' : 'no']),
    )
  }${
    scopes &&
    facts([
      ['Scopes requested', scopes.asked.join(' ')],
      ['Scopes granted', scopes.granted.join(' ')],
      ...scopes.refused.map(({ scope, because }) => [`Refused: ${scope}`, because] as const),
    ])
  }${organizations && facts([['Organizations', organizations.map(({ name }) => name).join(', ')]])}${
    exchange &&
    table(
      'Checks of the exchange',
      ['Check', 'Value', 'Result'],
      exchange.map(({ label, value, outcome }) => [label, value, outcome]),
    )
  }${tokens.map(tokenBlock)}${request && message('Request', request.line, request)}${
    answer && message('Response', String(answer.status), answer)
  }`
}

function tokenBlock({
  name,
  value,
  header,
  claims,
  signature,
  atHash,
  checks,
}: DecodedToken): Html {
  const rows = [...(header ?? []), ...(claims ?? [])]
  return html`${facts([
    [name, value],
    [
      'Signature',
      signature && `${signature.valid ? 'valid' : 'invalid'}: ${signature.explanation}`,
    ],
    [
      'at_hash',
      atHash &&
        (atHash.equal
          ? 'matches the access token'
          : `is ${atHash.claimed}, computed ${atHash.computed}`),
    ],
    ...(checks ?? []).map(({ claim, explanation }) => [claim, explanation] as const),
  ])}${table(
    `Header and claims of ${name}`,
    ['Name', 'Value', 'Meaning'],
    rows.map((claim) => [
      claim.name,
      claim.value,
      [claim.time, claim.meaning].filter((part) => part !== undefined).join(': '),
    ]),
  )}`
}

function yesOrNo(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? 'yes' : 'no'
}
