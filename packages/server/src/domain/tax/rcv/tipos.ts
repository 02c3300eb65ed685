export * from '../../../catalog/rcv.ts'
