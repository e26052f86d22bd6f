import { rfc } from '../../../checks/rule.ts'
import {
  describeReaction,
  isRefusal,
  isSuccess,
  receiverModule,
  type ReceiverModule,
} from '../receiver-module.ts'
import { failed, inconclusive, passed } from '../../judgement.ts'

export const httpModules: readonly ReceiverModule[] = [
  receiverModule({
    id: 'http/get',
    plan: 'full',
    title: 'The receiver responds to GET as if it were a delivery.',
    sends: 'a GET request with the right secret',
    expected: 'The receiver refuses with 405 or 404.',
    level: 'note',
    fix: 'Register the route for POST only.',
    sources: [rfc(9110, '15.5.6')],
    async provoke(receiver) {
      const reaction = await receiver.send({ method: 'GET' })
      const seen = [{ what: 'GET', reaction }]
      const observed = `The receiver ${describeReaction(reaction)}.`
      return isRefusal(reaction) ? passed(observed, seen) : failed(observed, seen)
    },
  }),
  receiverModule({
    id: 'http/redirect',
    plan: 'full',
    title: 'The receiver redirects some deliveries.',
    sends: 'a correct delivery',
    expected: 'The receiver never redirects a correct delivery: the Hub does not follow it.',
    level: 'error',
    fix: 'Register the final URL in the settings of the webhook, with https and the exact path.',
    async provoke(receiver) {
      const reaction = await receiver.send()
      const seen = [{ what: 'a correct delivery', reaction }]
      const { status = 0 } = reaction
      const observed = `The receiver ${describeReaction(reaction)}.`
      if (status >= 300 && status < 400) return failed(observed, seen)
      if (isSuccess(reaction)) return passed(observed, seen)
      // A failure says nothing about the URL.
      return inconclusive(observed, seen)
    },
  }),
]
