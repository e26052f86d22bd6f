import * as fc from 'fast-check'
import { Refusal } from '../../../server/core/refusal.ts'
import { readReadmeMetadata } from '../../../server/hub/rules/readme-metadata.ts'
import { parseRepoName, spaceSubdomain } from '../../../server/hub/files/repo-names.ts'
import { findSpecIssues } from '../../../server/hub/jobs/job-spec.ts'
import { kindOfAddress } from '../../../server/web/outgoing/address.ts'
import { assertJsonContent, parseBody } from '../../../server/receiver/body.ts'
import { normalizeBasePath, placeOf } from '../../../server/receiver/place.ts'
import { Rejection } from '../../../server/receiver/rejection.ts'
import { createSecretGuard } from '../../../server/receiver/secret.ts'
import { findCaProblem } from '../../../server/hub/webhooks/manage/certificates.ts'
import { parseRetryAfter } from '../../../server/hub/webhooks/delivery/retry-schedule.ts'
import {
  findSecretProblem,
  signingKeyOf,
} from '../../../server/hub/webhooks/delivery/webhook-secret.ts'
import { liveThrough, repoSteps } from '../../unit/hub/repo-life.ts'
import { json, jsonText, text } from '../inputs.ts'
import { must, refuses, target } from '../target.ts'

/** A delivery that fits, to be changed in one place. */
const payload = {
  event: { action: 'update', scope: 'repo.content' },
  repo: {
    type: 'model',
    name: 'alice/tiny',
    id: '1',
    private: false,
    url: { web: 'http://x', api: 'http://x/api' },
    owner: { id: '2' },
    tags: ['a'],
  },
  webhook: { id: '3', version: 3 },
  updatedRefs: [{ ref: 'refs/heads/main', oldSha: null, newSha: '0' }],
}

/** Parsers of the hub API and of the receiver. */
export const hubTargets = [
  target({
    name: 'repo-name',
    inputs: text('alice', '/', '.', '--', '.git', '-', '_'),
    check(input) {
      refuses(Refusal, () => {
        const { namespace, name } = parseRepoName(input)
        must(`${namespace}/${name}` === input, 'is another name')
      })
      spaceSubdomain(input)
    },
  }),
  // Has a property test of its own.
  target({ name: 'repo-life', inputs: repoSteps, sample: 2, check: liveThrough }),
  target({
    name: 'readme',
    inputs: text(
      '---\n',
      '\n---\n',
      'license: mit\n',
      'tags:\n',
      '- a\n',
      '[',
      ']',
      '#',
      ': ',
      "'",
    ),
    check(input) {
      for (const readme of [input, `---\n${input}\n---\n`, `---\nkey: ${input}\n---`]) {
        for (const value of readReadmeMetadata(readme).values()) {
          must(
            [value].flat().every((item) => typeof item === 'string'),
            'is no text',
          )
        }
      }
    },
  }),
  target({
    name: 'job-spec',
    inputs: fc.record(
      {
        dockerImage: text('python:3.12'),
        spaceId: text('alice/demo'),
        flavor: text('cpu-basic', 't4-small'),
        environment: fc.dictionary(text('JOB_ID', '__proto__', '='), text()),
        secrets: fc.dictionary(text(), text()),
      },
      { requiredKeys: [] },
    ),
    check(input) {
      const issues = findSpecIssues(input, 'job')
      must(
        issues.every(({ path }) => path === 'job' || path.startsWith('job.')),
        'is beside the job',
      )
    },
  }),
  target({
    name: 'address',
    inputs: fc.oneof(text('127.0.0.1', '::1', '::ffff:', '%eth0', '10.'), fc.ipV4(), fc.ipV6()),
    check(input) {
      const kind = kindOfAddress(input)
      if (kind === 'forbidden') return
      // Node and the URL parser agree that it is an address.
      const name = input.includes(':') ? `[${input.replace(/%.*$/s, '')}]` : input
      must(URL.canParse(`http://${name}/`), 'is no address')
    },
  }),
  target({
    name: 'delivery-body',
    inputs: fc.oneof(
      jsonText,
      fc
        .tuple(fc.constantFrom(...Object.keys(payload)), json)
        .map(([key, value]) => JSON.stringify({ ...payload, [key]: value })),
      fc
        .tuple(fc.constantFrom(...Object.keys(payload.repo)), json)
        .map(([key, value]) =>
          JSON.stringify({ ...payload, repo: { ...payload.repo, [key]: value } }),
        ),
    ),
    check(input) {
      const isRefused = refuses(Rejection, () => parseBody(Buffer.from(input)))
      if (isRefused) return
      const body = parseBody(Buffer.from(input))
      must(typeof body.repo.name === 'string' && body.webhook.version === 3, 'is no payload')
      parseBody(Buffer.from(JSON.stringify(body)))
    },
  }),
  target({
    name: 'delivery-head',
    inputs: fc.record({
      type: text('application/json', ';', 'charset=utf-8', '+json', '/'),
      secret: text('first', ' '),
      path: text('/webhooks', '/', '/api', 'webhooks', '%2f'),
      base: text('/', 'api', '..', '?', '\\'),
    }),
    check({ type, secret, path, base }) {
      const header = (value: string) => value.replaceAll(/[^\x20-\x7e]/g, '')
      const request = new Request('http://localhost/', {
        method: 'POST',
        headers: { 'content-type': header(type), 'x-webhook-secret': header(secret) },
      })
      refuses(Rejection, () => assertJsonContent(request))
      const guard = createSecretGuard({ secret: 'the only one' }, {})
      must(
        refuses(Rejection, () => guard.verify(request)) ===
          (header(secret).trim() !== 'the only one'),
        'is let in',
      )
      refuses(TypeError, () => createSecretGuard({ secret }, {}))
      refuses(TypeError, () => normalizeBasePath(base))
      const place = placeOf(path, { hasEndpoint: () => false })
      must(place.base + place.path === path, 'is another path')
    },
  }),
  target({
    name: 'webhook-secret',
    inputs: text('whsec_', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '=', ' '),
    check(input) {
      signingKeyOf(input)
      for (const extraHeaders of ['none', 'standard-webhooks'] as const) {
        const problem = findSecretProblem(input, { extraHeaders })
        must(problem === undefined || input.length < 12 || !problem.includes(input), 'shows it')
        if (problem !== undefined) continue
        const sent = new Headers({ 'x-webhook-secret': input }).get('x-webhook-secret')
        must(sent === input, 'arrives as another')
      }
    },
  }),
  target({
    name: 'certificate',
    inputs: text(
      '-----BEGIN CERTIFICATE-----',
      '-----END CERTIFICATE-----',
      '\n',
      'MIIB',
      'PRIVATE KEY-----',
    ),
    check(input) {
      must(findCaProblem(input) !== '', 'does not say what is wrong')
    },
  }),
  target({
    name: 'retry-after',
    inputs: text('120', 'Sun, 06 Nov 1994 08:49:37 GMT', '-1', '1e9', ' '),
    check(input) {
      const ms = parseRetryAfter(input, Date.UTC(2026, 0, 1))
      must(ms === undefined || (Number.isFinite(ms) && ms >= 0), `is ${ms} ms`)
    },
  }),
]
