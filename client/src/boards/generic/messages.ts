// Texts of the generic board; everything else is in the game's own catalogue.
import { boardMessages } from '../../lib/words';

const en = {
  table: 'On the table',
  moves: 'Your moves',
  faceDown: 'face down',
  facesDown: '{count} face down',
  none: 'none',
  area: '{name}: {things}.',
  thing: '{label}: {value}',
  yes: 'yes',
  no: 'no',
  toMove: 'to move',
  winner: 'wins',
  turn: 'To move: {names}.',
  over: 'The game is over. Winner: {names}.',
  total: 'Points',
};
type Texts = Record<keyof typeof en, string>;

const fr: Texts = {
  table: 'Sur la table',
  moves: 'Tes coups',
  faceDown: 'face cachée',
  facesDown: '{count} faces cachées',
  none: 'rien',
  area: '{name} : {things}.',
  thing: '{label} : {value}',
  yes: 'oui',
  no: 'non',
  toMove: 'à jouer',
  winner: 'gagne',
  turn: 'À jouer : {names}.',
  over: 'La partie est finie. Victoire : {names}.',
  total: 'Points',
};

const es: Texts = {
  table: 'En la mesa',
  moves: 'Tus jugadas',
  faceDown: 'boca abajo',
  facesDown: '{count} boca abajo',
  none: 'nada',
  area: '{name}: {things}.',
  thing: '{label}: {value}',
  yes: 'sí',
  no: 'no',
  toMove: 'le toca',
  winner: 'gana',
  turn: 'Le toca a: {names}.',
  over: 'La partida ha terminado. Gana: {names}.',
  total: 'Puntos',
};

export const messages: Record<string, Texts> = { en, fr, es };
export const message = boardMessages(messages);
