export { deleteOldWeather } from './store.ts'
