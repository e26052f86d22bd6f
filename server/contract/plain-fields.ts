import { Type } from 'typebox'

// Fields of schemas: a type and its description.

export const text = (description: string) => Type.String({ description })
export const flag = (description: string) => Type.Boolean({ description })
export const integer = (description: string) => Type.Integer({ description })
export const number = (description: string) => Type.Number({ description })
