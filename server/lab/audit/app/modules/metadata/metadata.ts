import { rfc } from '../../../../checks/rule.ts'
import { judgeRefusal } from '../../judge.ts'
import type { AuditModule, PoisonFault } from '../../app-module.ts'
import { passed } from '../../../judgement.ts'

const routes = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']

function poisonMetadata(effect: Pick<PoisonFault, 'set'>) {
  const faults = routes.map((route) => ({ match: { route }, bound: false, ...effect }) as const)
  return () => [{ do: 'poison', faults }, { do: 'restart' }, { do: 'sign-in' }] as const
}

const readAtStart =
  'An app that has read the metadata before is not reached: pass --restart with a command that restarts it.'

export const metadataModules: readonly AuditModule[] = [
  {
    id: 'metadata/other-issuer',
    title: 'The metadata names another issuer.',
    plan: 'core',
    oidf: 'discovery-issuer-mismatch',
    level: 'error',
    must: 'refuse',
    expected: `The app does not begin a sign-in. ${readAtStart}`,
    fix: 'Compare issuer of the metadata with the URL that you read it from. openid-client: discovery(); oauth4webapi: processDiscoveryResponse().',
    sources: [
      {
        name: 'OpenID Connect Discovery',
        section: '4.3',
        url: 'https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfigurationValidation',
      },
      rfc(8414, '3.3'),
    ],
    provoke: poisonMetadata({ set: { issuer: 'https://other.example' } }),
    judge(evidence) {
      const { hits, visits, requests, facts } = evidence
      const hasBegun = requests.some(({ path }) => path === '/oauth/authorize')
      if (hits === 0 || hasBegun || visits.length === 0) return judgeRefusal(evidence)
      if (visits.some(({ status }) => status > 0)) {
        return passed('The app does not begin a sign-in.')
      }
      return facts.driver.canRestart
        ? passed('The app does not start with this metadata.')
        : judgeRefusal(evidence)
    },
  },
  {
    id: 'metadata/more',
    title: 'The metadata has members that the app does not know.',
    plan: 'full',
    level: 'error',
    must: 'accept',
    expected: `The app ignores them and accepts the sign-in. ${readAtStart}`,
    fix: 'Read the members that you know, and ignore all others.',
    sources: [rfc(8414, '2')],
    provoke: poisonMetadata({ set: { unknown_endpoint: 'https://other.example', unknown: [1] } }),
  },
]
