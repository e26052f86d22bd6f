import { Type, type Static } from 'typebox'
import { Time } from './control.ts'
import { GroupId } from './hub-repos.ts'
import { OneOf } from './one-of.ts'
import { endpointStates, endpointTypes } from './words/endpoint-words.ts'
import { integer } from './plain-fields.ts'

/** Letters of the name of an inference endpoint. */
export const endpointNamePattern = '^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$'

const Text = (description: string) => Type.String({ maxLength: 300, description })
const Optional = (description: string) => Type.Optional(Text(description))
const Nullable = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 300 }), Type.Null()], { description }))
const Replicas = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, description }))
const Variables = (description: string) =>
  Type.Optional(Type.Record(Type.String(), Type.String(), { description }))

/** Replicas of an inference endpoint. */
export const endpointScaling = {
  minReplica: Replicas('Minimum number of replicas; 0 allows scaling to zero. Default 0'),
  maxReplica: Replicas('Maximum number of replicas. Default 1'),
  scaleToZeroTimeout: Type.Optional(
    Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }), Type.Null()], {
      description: 'Minutes without a request until it scales to zero. Default: never',
    }),
  ),
}
export const EndpointAccessQuery = Type.Object({
  resource_group_id: Type.Optional(GroupId),
})
const hardware = {
  accelerator: Optional('cpu, gpu or neuron'),
  instanceType: Optional('Instance'),
  instanceSize: Optional('Size of the instance'),
}
const settings = {
  framework: Optional('Framework. Default custom'),
  revision: Nullable('Revision. Default: the newest'),
  task: Nullable('Task'),
  image: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Image by its kind' }),
  ),
  command: Type.Optional(Type.Array(Type.String(), { description: 'Command of the image' })),
  args: Type.Optional(Type.Array(Type.String(), { description: 'Arguments of the command' })),
  env: Variables('Environment variables'),
  secrets: Variables('Secret environment variables, never returned'),
}
const tags = Type.Optional(Type.Array(Type.String(), { description: 'Tags' }))
const Compute = Type.Object({
  ...hardware,
  scaling: Type.Optional(Type.Object(endpointScaling, { description: 'Replicas' })),
})

export const CreateEndpointBody = Type.Object({
  name: Type.String({
    pattern: endpointNamePattern,
    description: 'Lower-case letters, digits and hyphens; at most 32',
  }),
  type: Type.Optional(OneOf(endpointTypes, 'Access. Default authenticated')),
  provider: Type.Optional(
    Type.Object(
      { vendor: Optional('Vendor'), region: Optional('Region') },
      {
        description: 'Place',
      },
    ),
  ),
  compute: Type.Optional(Compute),
  model: Type.Object({ repository: Text('Model repo'), ...settings }),
  tags,
})
export type CreateEndpointBody = Static<typeof CreateEndpointBody>

/** Absent fields are left unchanged. */
export const UpdateEndpointBody = Type.Object({
  type: Type.Optional(OneOf(endpointTypes, 'Access')),
  compute: Type.Optional(Compute),
  model: Type.Optional(Type.Object({ repository: Optional('Model repo'), ...settings })),
  tags,
})
export type UpdateEndpointBody = Static<typeof UpdateEndpointBody>

export const EndpointResponse = Type.Object({
  name: Text('Name'),
  type: OneOf(endpointTypes, 'Access'),
  healthRoute: Text('Path below the URL that responds 200 while it is running'),
  provider: Type.Object({ vendor: Text('Vendor'), region: Text('Region') }),
  compute: Type.Object({
    accelerator: Text('Accelerator'),
    instanceType: Text('Instance'),
    instanceSize: Text('Size'),
  }),
  model: Type.Object({
    repository: Text('Model repo'),
    framework: Text('Framework'),
    revision: Type.Union([Type.String(), Type.Null()], { description: 'Revision' }),
    task: Type.Union([Type.String(), Type.Null()], { description: 'Task' }),
  }),
  status: Type.Object({
    state: OneOf(endpointStates, 'State'),
    message: Text('State as a sentence'),
    url: Optional('URL, while it is running or scaled to zero'),
    readyReplica: integer('Running replicas'),
    targetReplica: integer('Wanted replicas'),
    createdAt: Time('Creation time'),
    updatedAt: Time('Time of the last change'),
  }),
})
export const EndpointListResponse = Type.Object({
  items: Type.Array(EndpointResponse, { description: 'By name' }),
})
export const EndpointHealthResponse = Type.Object({ status: Text('ok') })
