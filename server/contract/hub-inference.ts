import { text } from './plain-fields.ts'
import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { messageRoles } from './words/inference-words.ts'

/** Numbers of an embedding; also the largest number that `dimensions` may ask for. */
export const embeddingDimensions = 384
/** Texts that one request may embed: each is a vector in the response, however short it is. */
const mostTexts = 256
/** Tokens of a text that may be embedded, as with usual models. */
export const mostEmbeddedTokens = 8192
/** Tokens of a completion, as with usual models; each is an event of a stream. */
export const mostCompletionTokens = 16_384
/** Characters of a text before which a completion ends. */
const longestStop = 200

const Model = Type.String({
  minLength: 1,
  maxLength: 300,
  description: 'Model; `:provider` and `:fastest` at its end are ignored',
})
const Count = (description: string) => Type.Integer({ minimum: 0, description })

const ContentPart = Type.Object({
  type: text('Kind of part, such as text or image_url'),
  text: Type.Optional(text('Text of a text part')),
})
const ToolCall = Type.Object({
  id: text('Id that the message with the result refers to'),
  type: OneOf(['function'], 'Kind'),
  function: Type.Object({ name: text('Name'), arguments: text('Arguments as JSON') }),
})
const ChatMessage = Type.Object({
  role: OneOf(messageRoles, 'Author of the message'),
  content: Type.Optional(
    Type.Union([Type.String(), Type.Null(), Type.Array(ContentPart)], { description: 'Content' }),
  ),
})
export type ChatMessage = Static<typeof ChatMessage>

const Tool = Type.Object({
  type: text('function'),
  function: Type.Optional(Type.Object({ name: text('Name') })),
})

const Stop = Type.String({ maxLength: longestStop })

/** Options for the choice of words (`temperature`, `seed` and so on) are accepted and ignored. */
export const ChatBody = Type.Object({
  model: Model,
  messages: Type.Array(ChatMessage, { minItems: 1, description: 'Conversation so far' }),
  stream: Type.Optional(
    Type.Union([Type.Boolean(), Type.Null()], { description: 'Send server-sent events' }),
  ),
  stream_options: Type.Optional(
    Type.Union([Type.Object({ include_usage: Type.Optional(Type.Boolean()) }), Type.Null()], {
      description: '`include_usage`: end the stream with the usage',
    }),
  ),
  max_tokens: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: `Limit of the completion in tokens; at most ${mostCompletionTokens} are sent`,
    }),
  ),
  max_completion_tokens: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description: 'As `max_tokens`' }),
  ),
  stop: Type.Optional(
    Type.Union([Stop, Type.Array(Stop, { maxItems: 16 }), Type.Null()], {
      description: 'Texts before which the completion ends',
    }),
  ),
  n: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 1 }), Type.Null()], {
      description: 'Number of choices; only 1',
    }),
  ),
  tools: Type.Optional(
    Type.Union([Type.Array(Tool), Type.Null()], { description: 'Functions that may be called' }),
  ),
  tool_choice: Type.Optional(Type.Unknown({ description: '`none` prevents calls of functions' })),
})
export type ChatBody = Static<typeof ChatBody>

const ChatUsage = Type.Object({
  prompt_tokens: Count('Tokens of the messages'),
  completion_tokens: Count('Tokens of the completion'),
  total_tokens: Count('Sum'),
})
export type ChatUsage = Static<typeof ChatUsage>

export const ChatResponse = Type.Object(
  {
    id: text('Id'),
    object: OneOf(['chat.completion'], 'Kind'),
    created: Count('Seconds since 1970'),
    model: text('Model'),
    choices: Type.Array(
      Type.Object({
        index: Count('Place'),
        message: Type.Object({
          role: OneOf(['assistant'], 'Author'),
          content: Type.Union([Type.String(), Type.Null()], { description: 'Text' }),
          tool_calls: Type.Optional(Type.Array(ToolCall)),
        }),
        finish_reason: OneOf(['stop', 'length', 'tool_calls'], 'Reason for its end'),
      }),
      { description: 'One choice' },
    ),
    usage: ChatUsage,
  },
  { description: 'Completion. With `stream`: server-sent events with its parts, then `[DONE]`' },
)
export type ChatResponse = Static<typeof ChatResponse>

export const EmbeddingsBody = Type.Object({
  model: Model,
  input: Type.Union(
    [Type.String(), Type.Array(Type.String(), { minItems: 1, maxItems: mostTexts })],
    {
      description: `Text, or up to ${mostTexts} texts, of at most ${mostEmbeddedTokens} tokens each`,
    },
  ),
  encoding_format: Type.Optional(
    Type.Union([OneOf(['float', 'base64']), Type.Null()], { description: 'Default: float' }),
  ),
  dimensions: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: embeddingDimensions }), Type.Null()], {
      description: `Numbers of an embedding; default ${embeddingDimensions}`,
    }),
  ),
})
export type EmbeddingsBody = Static<typeof EmbeddingsBody>

export const EmbeddingsResponse = Type.Object({
  object: OneOf(['list'], 'Kind'),
  model: text('Model'),
  data: Type.Array(
    Type.Object({
      object: OneOf(['embedding'], 'Kind'),
      index: Count('Place of the text'),
      embedding: Type.Union([Type.Array(Type.Number()), Type.String()], {
        description: 'Vector of length 1; with `base64` its 32-bit numbers in base64',
      }),
    }),
    { description: 'In the order of the texts' },
  ),
  usage: Type.Object({ prompt_tokens: Count('Tokens'), total_tokens: Count('Tokens') }),
})

/** Body of the task API, `POST /hf-inference/models/…/pipeline/feature-extraction`. */
export const FeatureExtractionBody = Type.Object({
  inputs: Type.Union(
    [Type.String(), Type.Array(Type.String(), { minItems: 1, maxItems: mostTexts })],
    {
      description: `Text, or up to ${mostTexts} texts, of at most ${mostEmbeddedTokens} tokens each`,
    },
  ),
})
export const FeatureExtractionResponse = Type.Array(
  Type.Union([Type.Number(), Type.Array(Type.Number())]),
  { description: 'Vector, or one for each text' },
)

export const ModelsResponse = Type.Object({
  object: OneOf(['list'], 'Kind'),
  data: Type.Array(
    Type.Object({
      id: text('Name'),
      object: OneOf(['model'], 'Kind'),
      created: Count('Seconds since 1970'),
      owned_by: text('Namespace'),
    }),
    { description: 'Models' },
  ),
})
