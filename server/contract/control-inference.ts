import { Type, type Static } from 'typebox'
import { ListOf, Time, UserRef, pageQuery } from './control.ts'
import { CreateEndpointBody, EndpointResponse, endpointScaling } from './hub-endpoints.ts'
import { number, text } from './plain-fields.ts'

const { compute, status } = EndpointResponse.properties
const { accelerator, instanceType, instanceSize } = compute.properties
const Namespace = text('User or organization')

export const InferenceEndpointItem = Type.Object(
  {
    id: text('24 hex digits'),
    namespace: Namespace,
    name: EndpointResponse.properties.name,
    creator: UserRef,
    type: EndpointResponse.properties.type,
    repository: EndpointResponse.properties.model.properties.repository,
    accelerator,
    instanceType,
    instanceSize,
    scaling: Type.Object({
      minReplica: number('Minimum number of replicas'),
      maxReplica: number('Maximum number of replicas'),
      scaleToZeroTimeout: endpointScaling.scaleToZeroTimeout,
    }),
    state: status.properties.state,
    message: status.properties.message,
    url: status.properties.url,
    readyReplica: status.properties.readyReplica,
    targetReplica: status.properties.targetReplica,
    changesAt: Type.Optional(Time('Time at which the state changes without a request')),
    lastRequestAt: Type.Optional(Time('Time of the last request')),
    createdAt: Time('Creation time'),
    updatedAt: Time('Time of the last change'),
  },
  { description: 'An inference endpoint' },
)
export type InferenceEndpointItem = Static<typeof InferenceEndpointItem>

export const InferenceEndpointList = ListOf(InferenceEndpointItem)
export type InferenceEndpointList = Static<typeof InferenceEndpointList>

export const InferenceEndpointQuery = Type.Object({
  ...pageQuery,
  namespace: Type.Optional(text('Only of this user or organization')),
})
export type InferenceEndpointQuery = Static<typeof InferenceEndpointQuery>

export const CreateInferenceEndpointRequest = Type.Object(
  {
    namespace: Namespace,
    name: CreateEndpointBody.properties.name,
    repository: CreateEndpointBody.properties.model.properties.repository,
    type: CreateEndpointBody.properties.type,
    accelerator: Type.Optional(accelerator),
    instanceType: Type.Optional(instanceType),
    instanceSize: Type.Optional(instanceSize),
    scaling: Type.Optional(Type.Object(endpointScaling, { additionalProperties: false })),
    user: Type.Optional(text('Creator; default: the user, or an admin of the organization')),
  },
  { additionalProperties: false },
)
export type CreateInferenceEndpointRequest = Static<typeof CreateInferenceEndpointRequest>
