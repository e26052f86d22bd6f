import { testAccessOf } from '../helpers/access-matrix.ts'

testAccessOf('fine-grained tokens', 'tokens of trusted publishers')
