/** Texts of the experiments. */
export const words = {
  // Experiments: expected behaviour
  refusesIdToken: 'Your app should refuse the ID token and use none of the tokens.',
  retriesSlowly: 'Your app should retry a few times at most, or report the failure.',
  waitsForToken: 'Your app should wait 3 seconds for its tokens, then go on.',
  dropsToken: 'Your app should stop using the token, get a new one or ask the user to sign in.',
  signsInAgain:
    'Your app should get a new token or ask the user to sign in, not repeat the request.',

  // Experiments: verdicts
  waitingForApp: 'Waiting for your app: start a sign-in with it.',
  watchingApp: 'Your app has the response. Watching what it does next.',
  requestDropped: 'The log no longer has the request. Run it again.',
  refusedToken: 'Your app refused it: no request followed with this token.',
  acceptedToken: (request: string) => `Your app accepted it: it sent ${request} with the token.`,
  hungUp: 'Your app closed the connection before the response.',
  waitedUnused: 'Your app waited, but sent no request with the token.',
  waitedAndUsed: (request: string) => `Your app waited: it sent ${request} with the token.`,
  hammered: (count: number) => `Your app sent ${count} more token requests.`,
  recovered: 'Your app retried and got its tokens.',
  startedAgain: 'Your app started a new sign-in.',
  gaveUp: 'Your app stopped: no token request followed.',
  retryRefused: 'Your app retried, was refused, and stopped.',
  stopped: 'Your app stopped: no request followed.',
  repeated: (request: string) => `Your app repeated ${request} after the refusal.`,
  askedUserAgain: 'Your app asked the user to sign in again.',
  gotNewToken: 'Your app got a new token.',

  stoppedUsing: 'Your app stopped using the token.',
  nothingDelivered: 'Nothing was delivered to this webhook yet: trigger an event first.',
  oneDelivered: 'Only one delivery was sent to this webhook yet: trigger another event.',
  tookAll: (count: number) => `Your receiver responded with success to all ${count}.`,
  refusedSome: (failed: number, count: number, error: string) =>
    `Your receiver failed ${failed} of ${count}: ${error}.`,
} as const
