// The mobile-money services of each market by the names that customers know; only those in a source (demo/sandbox/banks.json).

const byCountry: Readonly<Record<string, string>> = {
  KE: 'M-Pesa,Airtel Money',
  TZ: 'M-Pesa,Mixx by Yas,Airtel Money,HaloPesa,AzamPesa,T-Pesa',
  UG: 'MTN MoMo,Airtel Money',
  ET: 'telebirr,CBE Birr,M-Pesa,Coopay-Ebirr',
  SO: 'EVC Plus,Zaad,Sahal,e-Dahab,Z-Pay',
  RW: 'MTN MoMo,Airtel Money,SPENN',
  BI: 'Lumicash,EcoCash',
  NG: 'OPay,PalmPay,Momo PSB,SmartCash,Paga',
  GH: 'MTN MoMo,Telecel Cash,AT Money',
  BJ: 'MTN MoMo,Moov Money',
  BF: 'Orange Money,Moov Money',
  CI: 'Orange Money,MTN MoMo,Moov Money,Wave,Djamo',
  ML: 'Orange Money,Moov Money,Wave',
  NE: 'Airtel Money,Zamani Cash',
  SN: 'Orange Money,Wave,Mixx by Yas,E-Money,Djamo',
  TG: 'Mixx by Yas,Moov Money',
}

/** Empty if no source names any. */
export function operatorsOf(country: string): string[] {
  const names = byCountry[country]
  return names ? names.split(',') : []
}
