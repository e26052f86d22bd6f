/** Texts of a presented delivery. */
export const words = {
  title: 'Webhook',
  developer: 'Developer',
  hub: 'Hub',
  receiver: 'Receiver',

  event: (name: string) => `event ${name}`,
  eventMeans: (repo: string) =>
    `Something changed in ${repo}. The Hub looks for webhooks that watch it.`,
  payload: 'The event, as the receiver gets it',
  delivery: 'delivery',
  deliveryMeans: 'The Hub posts the event as JSON to the URL of the webhook, with its secret.',
  retry: 'delivery, retried',
  sameDelivery:
    'The same bytes and the same Webhook-Id as before: the receiver can tell a repetition.',
  replay: 'replay',
  replayMeans: 'A developer asks for the delivery once more, on the dashboard or by the API.',
  response: (status: number) => `response ${status}`,
  noResponse: 'no response',
  responseBody: 'Response of the receiver',
  succeeded: 'Any 2xx status means success. The Hub does not read the body.',
  failed: 'The attempt failed.',
  nextRetry: 'waits for the retry',
  nextRetryMeans: 'The Hub sends a failed delivery again by itself, after a wait that grows.',
} as const

/** Talking points for a step, by the beginning of its id or by its id without the number. */
export const deliveryPoints: ReadonlyMap<string, string> = new Map(
  Object.entries({
    event:
      'One push may be several events. The webhook names the repos and the kinds that it watches.',
    request:
      'Point at the two headers: X-Webhook-Secret says who sends, Webhook-Id says which delivery it is.',
    response:
      'Respond first, work later: the Hub waits 30 seconds at most. The status alone decides.',
    waiting: 'Nobody has to do anything. The waits grow: 10 seconds, a minute, five minutes.',
    replay: 'This is what you do after fixing the receiver. A replay never schedules retries.',
  }),
)
