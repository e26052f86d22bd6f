type Mistakes = Readonly<Record<string, readonly string[]>>

/** Modules about a wrong secret. */
export const forgeries = [
  'secret/missing',
  'secret/wrong',
  'secret/prefix',
  'secret/same-length',
  'secret/empty',
  'secret/other-case',
  'secret/with-space',
  'secret/twice',
] as const

const badJson = [
  'body/not-json',
  'body/empty',
  'body/null',
  'body/array',
  'body/text',
  'body/deep',
  'body/proto',
] as const

/** Mistakes that the test receiver can make, each with the modules of the receiver audit that it fails. */
export const receiverMistakes = {
  'no-secret': [...forgeries, 'secret/in-query', 'secret/no-leak'],
  'starts-with': ['secret/prefix', 'secret/empty', 'secret/twice'],
  'same-length': ['secret/same-length', 'secret/other-case', 'secret/no-leak'],
  trims: ['secret/with-space'],
  'ignores-case': ['secret/other-case'],
  'lists-secrets': ['secret/twice'],
  'secret-in-query': ['secret/in-query'],
  'echoes-secret': ['secret/no-leak'],
  'body-first': ['secret/no-leak'],
  'works-before-secret': forgeries,
  'fails-on-bad-json': [...badJson, 'body/invalid-utf8'],
  'accepts-bad-json': badJson,
  'fails-on-duplicate-keys': ['body/duplicate-keys'],
  'known-scopes-only': ['future/scope'],
  'strict-members': ['future/members'],
  'fails-on-unknown-values': ['future/version', 'future/repo-type', 'future/action'],
  'requires-optional': ['shape/optional'],
  'short-texts': ['shape/text'],
  'small-bodies': ['size/large', 'size/huge'],
  'no-dedupe': ['again/same', 'again/at-once', 'again/after-failure'],
  'remembers-late': ['again/at-once'],
  'refuses-duplicates': ['again/same', 'again/at-once', 'again/after-failure'],
  'newest-only': ['order/late'],
  'answers-get': ['http/get'],
} as const satisfies Mistakes
export type ReceiverMistake = keyof typeof receiverMistakes

/** Checks that a receiver of Standard Webhooks can leave out. */
export const signedMistakes = {
  'no-check': ['standard/signature-wrong', 'standard/body-changed', 'standard/id-changed'],
  'no-time': ['standard/old', 'standard/future'],
  'first-only': ['standard/rotated', 'standard/other-version'],
} as const satisfies Mistakes
export type SignedMistake = keyof typeof signedMistakes

/** Reactions that a test makes up, because a real receiver would take too long. */
export const madeUpMistakes = {
  'one slow response': ['time/answer'],
  'four slow responses of 50': ['time/burst'],
  'a receiver that takes turns': ['time/slow-sender'],
  'a receiver that runs out of connections': ['time/kept-open'],
  'a receiver that redirects': ['http/redirect'],
} as const satisfies Mistakes

/** Receivers that a storm finds. */
export const stormMistakes = {
  'refuses duplicates': ['storm/accepted'],
  'comments twice': ['storm/once'],
  'keeps the last push': ['storm/order'],
} as const satisfies Mistakes
